import { STATEMENTS_TIMEOUT_MS } from '@fiado/contracts/deadlines';
import type { BodyOf, QueryOf } from '@fiado/ops-client/operations';
import { id, signedAmount } from '../arguments';
import type { CliCommand, PageOptions } from '../command';
import { printChange } from '../output';

const COLUMNS = [
  'statementId',
  'wholesaler',
  'number',
  'periodTo',
  'status',
  'lines',
  'amountDue',
  'bankReference',
] as const;

const LINE_COLUMNS = [
  'lineId',
  'kind',
  'wholesalerTransactionId',
  'occurredAt',
  'grossAmount',
  'commission',
  'netAmount',
  'reason',
] as const;

type AdjustOptions = Omit<BodyOf<'adjustSettlement'>, 'wholesalerId' | 'transactionId'> & {
  order?: string;
};

/** Without retries: a second call would wait for the locks of the first. */
const CLOSING = {
  timeoutMs: STATEMENTS_TIMEOUT_MS,
  deadlineMs: STATEMENTS_TIMEOUT_MS,
  maxRetries: 0,
};

/** fiado statements list | show | draft | lines | close | mark-paid | mark-returned | adjust. */
export function addStatementCommands(program: CliCommand): void {
  const statements = program
    .command('statements')
    .description('what the lender owes wholesalers, and paid');

  statements
    .list('list')
    .description('list statements, newest first; --json shows all amounts')
    .option('--wholesaler-id <wholesalerId>', 'of one wholesaler', id)
    .option('--status <status>', 'closed or paid')
    .option('--from <date>', 'whose period ends after this day')
    .option('--to <date>', 'whose period begins before this day')
    .example('fiado statements list --status closed')
    .pages(
      ({ ops }, query: QueryOf<'listOpsStatements'> & PageOptions) => ops.statements.list(query),
      (page) => page.statements,
      COLUMNS,
    );

  statements
    .command('show')
    .description('show a statement')
    .argument('<statementId>', '', id)
    .example('fiado statements show 0199e2c4-9d4e-7f50-8b62-738495061729')
    .work(async ({ ops, out }, statementId: string) =>
      out.record(await ops.statements.show(statementId)),
    );

  statements
    .command('draft')
    .description('show what the next statement of a wholesaler has so far')
    .argument('<wholesalerId>', '', id)
    .example('fiado statements draft 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11')
    .work(async ({ ops, out }, wholesalerId: string) =>
      out.record(await ops.statements.showDraft({ wholesalerId })),
    );

  statements
    .list('lines')
    .description('list the lines of a statement, oldest first')
    .argument('<statementId>', '', id)
    .example('fiado statements lines 0199e2c4-9d4e-7f50-8b62-738495061729 --all')
    .pages(
      ({ ops }, statementId: string, query: PageOptions) =>
        ops.statements.listLines(statementId, query),
      (page) => page.lines,
      LINE_COLUMNS,
    );

  addChanges(statements);
}

function addChanges(statements: CliCommand): void {
  statements
    .command('close')
    .description('close statements now; a repetition is harmless')
    .requiredOption('--until <date>', 'day or moment before which lines are closed')
    .option('--wholesaler-id <wholesalerId>', 'of one wholesaler; without it of all', id)
    .example('fiado statements close --until 2026-11-23')
    .work(async ({ ops, out }, body: BodyOf<'closeStatements'>) => {
      let closed = await ops.statements.close(body, CLOSING);
      // A call closes some of many wholesalers.
      while (closed.remaining > 0) closed = await ops.statements.close(body, CLOSING);
      out.record(closed);
    });

  statements
    .command('mark-paid')
    .description('record the payment of a statement, once a second person approves')
    .argument('<statementId>', '', id)
    .requiredOption('--bank-reference <text>', 'of the transfer; each is used once')
    .requiredOption('--paid-on <date>', 'day of the transfer')
    .example(
      'fiado statements mark-paid 0199e2c4-9d4e-7f50-8b62-738495061729 --bank-reference SPEI-77 --paid-on 2026-11-24',
    )
    .work(async ({ ops, out }, statementId: string, body: BodyOf<'markStatementPaid'>) =>
      printChange(out, await ops.statements.markPaid(statementId, body)),
    );

  statements
    .command('mark-returned')
    .description('record that the bank returned the payment, once a second person approves')
    .argument('<statementId>', '', id)
    .requiredOption('--reason <text>', 'for the second person')
    .example(
      'fiado statements mark-returned 0199e2c4-9d4e-7f50-8b62-738495061729 --reason "wrong CLABE"',
    )
    .work(async ({ ops, out }, statementId: string, body: BodyOf<'markStatementReturned'>) =>
      printChange(out, await ops.statements.markReturned(statementId, body)),
    );

  statements
    .command('adjust')
    .description(
      'correct what a wholesaler is owed, once a second person approves: one more line of its next statement',
    )
    .argument('<wholesalerId>', '', id)
    .requiredOption(
      '--kind <kind>',
      'clawback takes back what was settled for an order, with its commission; adjustment adds the amount',
    )
    .requiredOption('--amount <pesos>', 'negative for an adjustment that takes', signedAmount)
    .option('--order <transactionId>', 'which it is about; a clawback needs it', id)
    .requiredOption('--reason <text>', 'for the second person; the wholesaler sees it')
    .example(
      'fiado statements adjust 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --kind clawback --amount 480.50 --order 0199e2c4-9d4e-7f50-8b62-738495061729 --reason "false delivery"',
    )
    .example(
      'fiado statements adjust 0b0c6f3e-5a1c-4a44-9f3e-0a5b2f8b7c11 --kind adjustment --amount -20.50 --reason freight',
    )
    .work(async ({ ops, out }, wholesalerId: string, { order, ...body }: AdjustOptions) => {
      const named = order === undefined ? {} : { transactionId: order };
      printChange(out, await ops.statements.adjust({ ...body, ...named, wholesalerId }));
    });
}
