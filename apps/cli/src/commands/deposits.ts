import type { QueryOf, Schema } from '@fiado/ops-client/operations';
import { id } from '../arguments';
import type { CliCommand } from '../command';
import { printChange, tableOf } from '../output';
import { addReconcileCommand } from './reconcile-deposits';

const COLUMNS = [
  'depositId',
  'status',
  'reason',
  'valor',
  'paymentProvider',
  'idFactura',
  'numeroReferencia',
  'claveDePago',
  'fechaPago',
  'receivedAt',
] as const;

const CANDIDATE_COLUMNS = [
  'cornerStoreId',
  'reasons',
  'amountDue',
  'paymentDate',
  'status',
  'idFactura',
  'numeroReferencia',
  'externalId',
] as const;

/** With --status conflicting also a row for each body that its provider sent under the same claveDePago. */
function rowsOf(
  deposit: Schema<'ListedDeposit'>,
  { status }: QueryOf<'listDeposits'>,
): Array<Partial<typeof deposit>> {
  if (status !== 'conflicting') return [deposit];
  const { depositId, paymentProvider, conflicts } = deposit;
  const shared = { depositId, paymentProvider, status };
  return [
    deposit,
    ...conflicts.map(({ valor, ...one }) => ({
      ...one,
      ...shared,
      ...(valor !== null && { valor }),
    })),
  ];
}

/** fiado deposits list | show | assign | unassign | reverse | reconcile. */
export function addDepositCommands(program: CliCommand): void {
  const deposits = program
    .command('deposits')
    .description('list, show, assign, unassign, reverse and reconcile deposits');

  deposits
    .list('list')
    .description('list deposits, newest first')
    .option('--status <status>', 'received, applied, unmatched, reversed or conflicting')
    .example('fiado deposits list --status unmatched')
    .pages(
      ({ ops }, query: QueryOf<'listDeposits'>) => ops.deposits.list(query),
      (page) => page.deposits,
      COLUMNS,
      rowsOf,
    );

  deposits
    .command('show')
    .description('show a deposit with what it paid; an unmatched one with what it may be meant for')
    .argument('<depositId>', '', id)
    .example('fiado deposits show 0199e2c4-7b2c-7d3e-9f40-516273849506')
    .work(async ({ ops, out }, depositId: string) => {
      const { candidates, ...deposit } = await ops.deposits.show(depositId);
      if (out.json) {
        out.record({ ...deposit, candidates });
        return;
      }
      out.record(deposit);
      if (deposit.status !== 'unmatched') return;
      out.note('candidates: fiado deposits assign <depositId> --corner-store <cornerStoreId>');
      out.result(candidates, () => tableOf(candidates, CANDIDATE_COLUMNS));
    });

  deposits
    .command('assign')
    .description('assign an unmatched deposit to a corner store')
    .argument('<depositId>', '', id)
    .requiredOption('--corner-store <id>', 'the corner store that paid', id)
    .example(
      'fiado deposits assign 0199e2c4-7b2c-7d3e-9f40-516273849506 --corner-store 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11',
    )
    .work(async ({ ops, out }, depositId: string, { cornerStore }: { cornerStore: string }) =>
      printChange(out, await ops.deposits.assign(depositId, { cornerStoreId: cornerStore })),
    );

  addUndoing(deposits);
  addReconcileCommand(deposits);
}

function addUndoing(deposits: CliCommand): void {
  deposits
    .command('unassign')
    .description('take a deposit away from the wrong corner store; it is unmatched again')
    .argument('<depositId>', '', id)
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .example(
      'fiado deposits unassign 0199e2c4-7b2c-7d3e-9f40-516273849506 --reason "the payer is another store of that name"',
    )
    .work(async ({ ops, out }, depositId: string, body: { reason: string }) =>
      printChange(out, await ops.deposits.unassign(depositId, body)),
    );

  deposits
    .command('reverse')
    .description(
      'reverse a deposit that the provider took back; the debts that it paid are open again',
    )
    .argument('<depositId>', '', id)
    .requiredOption('--reason <text>', 'reason, for the audit log')
    .example('fiado deposits reverse 0199e2c4-7b2c-7d3e-9f40-516273849506 --reason "charged back"')
    .work(async ({ ops, out }, depositId: string, body: { reason: string }) =>
      printChange(out, await ops.deposits.reverse(depositId, body)),
    );
}
