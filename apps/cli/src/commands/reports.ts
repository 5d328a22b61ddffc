import type { AnswerOf } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { amountText, tableOf } from '../output';

interface Days {
  from: string;
  to: string;
  wholesaler?: string;
}

/** fiado reports portfolio | vintages | flows | collections. */
export function addReportCommands(program: CliCommand): void {
  const reports = program
    .command('reports')
    .description('show how the portfolio stands, and what was collected');

  reports
    .command('portfolio')
    .description('show debts by days late and the portfolio at risk at the end of a day')
    .option('--as-of <day>', 'the day; without it the last one')
    .option('--wholesaler <id>', 'only debts to this wholesaler', id)
    .example('fiado reports portfolio --as-of 2026-11-22')
    .work(async ({ ops, out }, options: { asOf?: string; wholesaler?: string }) => {
      const { asOf, wholesaler: wholesalerId } = options;
      const portfolio = await ops.reports.portfolio({ asOf, wholesalerId });
      out.result(portfolio, () => portfolioText(portfolio));
    });

  addVintagesCommand(reports);
  addFlowsCommand(reports);
  addCollectionsCommand(reports);
}

function addVintagesCommand(reports: CliCommand): void {
  addDaysCommand(reports, 'vintages')
    .description('list what stayed unpaid of each week’s deliveries')
    .example('fiado reports vintages --from 2026-08-01 --to 2026-11-30')
    .work(async ({ ops, out }, { wholesaler: wholesalerId, ...days }: Days) => {
      const report = await ops.reports.vintages({ ...days, wholesalerId });
      out.result(report, () =>
        tableOf(report.vintages, [
          'week',
          'daysAfterDue',
          'delivered',
          'reached',
          'unpaid',
          'ratio',
          'final',
        ]),
      );
    });
}

function addFlowsCommand(reports: CliCommand): void {
  addDaysCommand(reports, 'flows')
    .description(
      'list what moved in the portfolio on each day: principal, interests collected, all of recovered and cash; --json has all parts',
    )
    .example('fiado reports flows --from 2026-11-01 --to 2026-11-30')
    .work(async ({ ops, out }, { wholesaler: wholesalerId, ...days }: Days) => {
      const report = await ops.reports.flows({ ...days, wholesalerId });
      const rows = report.flows.map(({ delivered, credited, collected, writtenOff, ...flow }) => ({
        ...flow,
        delivered: delivered.principal,
        credited: credited.principal,
        collected: collected.principal,
        collectedInterests: collected.interests,
        writtenOff: writtenOff.principal,
      }));
      out.result(report, () =>
        tableOf(rows, [
          'day',
          'delivered',
          'credited',
          'collected',
          'collectedInterests',
          'writtenOff',
          'recovered',
          'cash',
        ]),
      );
    });
}

function addCollectionsCommand(reports: CliCommand): void {
  reports
    .command('collections')
    .requiredOption('--from <day>', 'first day')
    .requiredOption('--to <day>', 'last day, included; at most 31 days')
    .description('list what payment providers reported on each day, and what of it is collected')
    .example('fiado reports collections --from 2026-11-01 --to 2026-11-30')
    .work(async ({ ops, out }, days: Days) => {
      const report = await ops.reports.collections(days);
      out.result(report, () =>
        tableOf(report.collections, [
          'day',
          'paymentProvider',
          'deposits',
          'received',
          'collected',
          'waiting',
          'unmatched',
          'reversed',
        ]),
      );
    });
}

function addDaysCommand(reports: CliCommand, name: string): CliCommand {
  return reports
    .command(name)
    .requiredOption('--from <day>', 'first day')
    .requiredOption('--to <day>', 'last day, included; at most a year')
    .option('--wholesaler <id>', 'only of this wholesaler', id);
}

function portfolioText(portfolio: AnswerOf<'showPortfolio'>): string {
  const { asOf, outstanding, buckets, par, writtenOff } = portfolio;
  return [
    `end of ${asOf}`,
    tableOf(buckets, ['bucket', 'debts', 'principal', 'interests', 'IVAAmount']),
    '',
    `outstanding principal  ${amountText(outstanding)}`,
    ...Object.entries(par).map(
      ([name, { amount, ratio }]) =>
        `${name.toUpperCase().padEnd(21)}  ${amountText(amount)}` +
        (ratio === null ? '' : `  ${(ratio * 100).toFixed(2)} %`),
    ),
    `written off            ${amountText(writtenOff)}`,
  ].join('\n');
}
