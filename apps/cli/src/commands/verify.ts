import type { Command } from 'commander';
import { count } from '../arguments';
import { CommandFailed } from '../errors';
import type { OpenSession } from '../session';
import { reportText } from '../verify/report';
import { verify } from '../verify/verify';

const DEFAULT_SETTLE_SECONDS = 10;

const HELP = `
Checks the invariants of each service; then limits, credit, debts and payments of every corner
store are compared across the services. What travels by event may be on its way: differences are
asked again until they settle, or the time for it is over. It changes nothing and can run at any
time.

Examples:
  fiado verify
  fiado verify --settle 60 --json`;

/** fiado verify. */
export function addVerifyCommand(program: Command, open: OpenSession): void {
  program
    .command('verify')
    .description('check that all balances reconcile, within each service and between them')
    .option(
      '--settle <seconds>',
      'seconds that a difference may take to settle',
      count,
      DEFAULT_SETTLE_SECONDS,
    )
    .addHelpText('after', HELP)
    .action(async ({ settle }: { settle: number }, command: Command) => {
      const { ops, out } = await open(command);
      const report = await verify(ops, settle * 1000);
      out.result(report, () => reportText(report));
      const broken = report.checks.filter((check) => !check.holds).length;
      if (broken > 0) {
        throw new CommandFailed(`${broken} of ${report.checks.length} checks failed`);
      }
    });
}
