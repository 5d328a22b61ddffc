import type { AnswerOf } from '@fiado/ops-client/operations';
import type { CliCommand } from '../command';
import { amountText } from '../output';

/** fiado overview. */
export function addOverviewCommand(program: CliCommand): void {
  program
    .command('overview')
    .description('show what waits for ops, and the figures of today')
    .example('fiado overview')
    .work(async ({ ops, out }) => {
      const overview = await ops.overview.get();
      out.result(overview, () => linesOf(overview).join('\n'));
      for (const service of overview.unavailable) {
        out.note(`${service} did not answer: its part is missing; try again`);
      }
    });
}

function linesOf({ day, waiting, orders, payments, messages }: AnswerOf<'getOverview'>): string[] {
  return [
    'waiting for ops',
    ...Object.entries(waiting).map(([name, value]) => line(name, value)),
    '',
    day,
    line('orders', orders && `${orders.orders}, ${amountText(orders.totalAmount)}`),
    line(
      'deliveries',
      payments && `${payments.deliveries}, ${amountText(payments.deliveredAmount)}`,
    ),
    line('deposits', payments && `${payments.deposits}, ${amountText(payments.depositedAmount)}`),
    line(
      'SMS',
      messages && `${messages.sent} sent, ${messages.failed} failed, ${messages.pending} pending`,
    ),
    '',
    'debts by days overdue',
    ...(payments?.ageing ?? []).map(({ days, receivables, amountDue }) =>
      line(days, `${receivables}, ${amountText(amountDue)}`),
    ),
    line('outstanding', payments && amountText(payments.outstandingAmount)),
    line(
      'PAR30',
      payments?.par30 == null
        ? null
        : `${(payments.par30 * 100).toFixed(2)} % at the end of ${payments.par30AsOf}`,
    ),
  ];
}

/** Characters of the longest name. */
const WIDTH = 'oldestUnmatchedSeconds'.length;

function line(name: string, value: string | number | null): string {
  return `  ${name.padEnd(WIDTH)}  ${value ?? '-'}`;
}
