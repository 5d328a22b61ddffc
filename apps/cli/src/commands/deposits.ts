import type { Command } from 'commander';
import { id } from '../arguments';
import type { QueryOf, Schema } from '@fiado/ops-client/operations';
import { tableOf } from '../output';
import { printPages, withPages, type PageOptions } from '../pages';
import { printChange } from '../print-change';
import type { OpenSession } from '../session';

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

const EXAMPLES = {
  show: `
Example:
  fiado deposits show 0199e2c4-7b2c-7d3e-9f40-516273849506`,
  assign: `
Example:
  fiado deposits assign 0199e2c4-7b2c-7d3e-9f40-516273849506 --corner-store 5d1e0a52-0c4e-4f0a-9d1b-2f6f0c1c8a11`,
  unassign: `
Example:
  fiado deposits unassign 0199e2c4-7b2c-7d3e-9f40-516273849506 --reason "the payer is another store of that name"`,
  reverse: `
Example:
  fiado deposits reverse 0199e2c4-7b2c-7d3e-9f40-516273849506 --reason "charged back"`,
};

interface ListOptions extends PageOptions {
  status?: QueryOf<'listDeposits'>['status'];
}

/**
 * A row for the deposit and one for each body that its provider sent under the same claveDePago.
 */
function withConflicts(deposit: Schema<'ListedDeposit'>): Array<Partial<typeof deposit>> {
  const { depositId, paymentProvider, conflicts } = deposit;
  const refused = conflicts.map((conflict) => ({
    ...conflict,
    depositId,
    paymentProvider,
    status: 'conflicting',
  }));
  return [deposit, ...refused];
}

/** fiado deposits list | show | assign | unassign | reverse. */
export function addDepositCommands(program: Command, open: OpenSession): void {
  const deposits = program
    .command('deposits')
    .description('list, show, assign, unassign and reverse deposits');

  withPages(deposits.command('list'))
    .description('list deposits, newest first')
    .option('--status <status>', 'received, applied, unmatched, reversed or conflicting')
    .addHelpText('after', '\nExample:\n  fiado deposits list --status unmatched')
    .action(async ({ status, cursor, all }: ListOptions, command: Command) => {
      const { ops, out } = await open(command);
      const layout = {
        rowsOf: (page: Schema<'DepositPage'>) => page.deposits,
        columns: COLUMNS,
        ...(status === 'conflicting' && { linesOf: withConflicts }),
      };
      await printPages(out, ops.deposits.list({ status, cursor }), layout, all);
    });

  deposits
    .command('show')
    .description('show a deposit with what it paid; an unmatched one with what it may be meant for')
    .argument('<depositId>', '', id)
    .addHelpText('after', EXAMPLES.show)
    .action(async (depositId: string, _options: object, command: Command) => {
      const { ops, out } = await open(command);
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
    .addHelpText('after', EXAMPLES.assign)
    .action(
      async (depositId: string, { cornerStore }: { cornerStore: string }, command: Command) => {
        const { ops, out } = await open(command);
        printChange(out, await ops.deposits.assign(depositId, { cornerStoreId: cornerStore }));
      },
    );

  addUndoing(deposits, open);
}

/** fiado deposits unassign | reverse. */
function addUndoing(deposits: Command, open: OpenSession): void {
  const descriptions = {
    unassign: 'take a deposit away from the wrong corner store; it is unmatched again',
    reverse: 'reverse a deposit that the provider took back; the debts that it paid are open again',
  };
  for (const name of ['unassign', 'reverse'] as const) {
    deposits
      .command(name)
      .description(descriptions[name])
      .argument('<depositId>', '', id)
      .requiredOption('--reason <text>', 'reason, for the audit log')
      .addHelpText('after', EXAMPLES[name])
      .action(async (depositId: string, body: { reason: string }, command: Command) => {
        const { ops, out } = await open(command);
        printChange(out, await ops.deposits[name](depositId, body));
      });
  }
}
