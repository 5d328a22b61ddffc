import { count } from '../arguments';
import type { CliCommand } from '../command';
import { rootsWarning } from '../presented';
import { CommandFailed } from '../errors';
import { Progress } from './progress';
import { reportText, verify } from './run-checks';

const DEFAULT_SETTLE_SECONDS = 10;
/** A month and some days: a run once a month leaves nothing out. */
const DEFAULT_DAYS = 35;
const DAY_MS = 86_400_000;

const HELP = `
Checks the invariants of each service; then users, phones, limits, credit, debts and payments of
every corner store are compared across the services, order by order. What travels by event may be on
its way: differences are asked again until they settle, or the time for it is over. It changes
none of them and can run at any time. All rows are read in small ranges.

Without --all it checks what was made or is due in the last ${DEFAULT_DAYS} days, all that is open, and the
ledgers of all credit lines and credit balances.

The audit log gets the result, which the console shows (Cierre del mes).

Where one person may count as two, it warns (fiado staff roots).

docs/operations/verify-differs.md explains what to do about a difference.

Examples:
  fiado verify
  fiado verify --all
  fiado verify --settle 60 --json`;

interface VerifyCommand {
  settle: number;
  days: number;
  all?: boolean;
}

/** fiado verify. */
export function addVerifyCommand(program: CliCommand): void {
  program
    .command('verify')
    .description('check that all balances reconcile, within each service and between them')
    .option('--days <days>', 'days of which paid and past orders are checked', count, DEFAULT_DAYS)
    .option('--all', 'check everything, however old')
    .option(
      '--settle <seconds>',
      'seconds that a difference may take to settle',
      count,
      DEFAULT_SETTLE_SECONDS,
    )
    .addHelpText('after', HELP)
    .work(async ({ ops, out, io }, { settle, days, all }: VerifyCommand) => {
      const since = all === true ? undefined : new Date(Date.now() - days * DAY_MS).toISOString();
      const progress = new Progress(io.stderr);
      const options = { since, settleMs: settle * 1000, progress };
      const report = await verify(ops, options).finally(() => progress.clear());
      const { warning } = await ops.staff.roots();
      if (warning !== null) out.note(rootsWarning(warning));
      out.result(report, () => reportText(report));
      const broken = report.checks.filter((check) => !check.holds).length;
      const run = { checks: report.checks.length, failed: broken };
      await ops.auditEntries
        .recordVerifyRun(since === undefined ? run : { ...run, since })
        .catch((error: unknown) => out.note(`The result is not recorded: ${String(error)}`));
      if (broken > 0) {
        throw new CommandFailed(`${broken} of ${report.checks.length} checks failed`);
      }
    });
}
