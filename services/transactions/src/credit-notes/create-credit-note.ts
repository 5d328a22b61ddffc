import { IsIn, IsOptional } from 'class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne, queryRow } from '@fiado/chassis/db/query';
import { insertRow } from '@fiado/chassis/db/rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { IsNonEmptyText, IsPositiveAmount } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { transactionCredited } from '@fiado/contracts/jobs/debts';
import { centsOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockOrder, type OrderWithTerms } from '../orders/order.sql';
import {
  CREDIT_NOTE_REASONS,
  type CreditNote,
  creditNoteAnswer,
  exampleCreditNote,
  presentCreditNote,
} from './credit-note';
import { creditRefusal, priceOfCredit } from './credit-note.rules';

/** Characters, as of the wholesaler's own id of an order. */
const MAX_REFERENCE = 200;

export class CreditNoteBody {
  /** Pesos: price of the goods, without interests and IVA. */
  @IsPositiveAmount()
  amount: number;

  @IsIn(CREDIT_NOTE_REASONS)
  reason: CreditNote['reason'];

  @IsOptional()
  @IsNonEmptyText(MAX_REFERENCE)
  reference?: string;
}

export const createCreditNoteEndpoint = endpoint({
  id: 'createCreditNote',
  tag: 'Transactions',
  route: 'POST /v1/transaction/:transactionId/credit-notes',
  scope: 'transactions:write',
  summary: 'Credit goods of a delivered transaction',
  description:
    'For goods that came back, were damaged or missing, or cost less: within 60 days of the delivery, ' +
    'and not more than is left of the delivered amount. `amount` is the price of the goods; their interests, ' +
    'IVA and commission go with it. The store owes `totalAmount` less a moment later. What it had paid ' +
    'beyond that pays its other debts, or stays as its credit balance. The delivered amount of the ' +
    'transaction does not change. With `invoiceAction: credit-note-due` the transaction has an invoice, which ' +
    'its issuer corrects with the tax authority. `reference` names one credit note of the transaction.',
  body: CreditNoteBody,
  bodyExample: { amount: 120, reason: 'return', reference: 'DEV-1201' },
  errors: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_CREDITABLE',
    'CREDIT_NOTE_ALREADY_EXISTS',
    'CREDIT_NOTE_AMOUNT_NOT_ALLOWED',
  ],
  idempotent: true,
  status: 201,
  answer: creditNoteAnswer,
  example: exampleCreditNote,
  input: ({ body: { amount, reason, reference }, caller, id }) => ({
    wholesalerId: caller.id,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    credit: { amountCents: centsOf(amount), reason, reference: reference ?? null },
  }),
  handle: createCreditNote,
  present: presentCreditNote,
});

/** What is credited. */
export type Credit = Pick<CreditNote, 'reason' | 'reference'> & { amountCents: number };

/**
 * Credits goods of a wholesaler's delivered order, once for a reference.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_NOT_CREDITABLE, CREDIT_NOTE_ALREADY_EXISTS,
 *   CREDIT_NOTE_AMOUNT_NOT_ALLOWED
 */
export async function createCreditNote(
  context: Context,
  order: { wholesalerId: string; transactionId: string; credit: Credit },
  answerOf: StoreAnswer<CreditNote>,
): Promise<CreditNote> {
  const { wholesalerId, transactionId, credit } = order;
  return answerInTransaction(context, answerOf, async (tx) => {
    const locked = await lockOrder(tx, wholesalerId, transactionId);
    if (locked === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const by = { id: wholesalerId, isWholesaler: true };
    return bookCreditNote(tx, locked, credit, by);
  });
}

/**
 * Writes a credit note of a locked order, its line of the wholesaler's next statement, and the job that
 * lowers its debt. A delivery from before the statements has no line, and gets no credit note.
 * @throws AppError as createCreditNote
 */
export async function bookCreditNote(
  tx: Transaction,
  order: OrderWithTerms,
  { amountCents, reason, reference }: Credit,
  by: { id: string; isWholesaler: boolean },
): Promise<CreditNote> {
  const { creditedCents, last, isRepeated, isSettled } = await queryOne<{
    creditedCents: number;
    last: number;
    isRepeated: boolean;
    isSettled: boolean;
  }>(
    tx,
    `SELECT coalesce(sum(principal_cents), 0)::bigint AS "creditedCents",
            coalesce(max(number), 0) AS last, coalesce(bool_or(reference = $2), false) AS "isRepeated",
            EXISTS (SELECT FROM settlement_lines WHERE kind = 'delivery' AND source_id = $1)
              AS "isSettled"
       FROM credit_notes WHERE transaction_id = $1`,
    [order.id, reference],
  );
  if (isRepeated) throw new AppError('CREDIT_NOTE_ALREADY_EXISTS');
  const creditable = { ...order, creditedCents, isSettled };
  const refusal = creditRefusal(creditable, { amountCents, byWholesaler: by.isWholesaler });
  if (refusal !== undefined) throw new AppError(refusal);

  const invoice = await queryRow<{ id: string }>(
    tx,
    `SELECT id FROM invoices WHERE transaction_id = $1 AND status <> 'failed'`,
    [order.id],
  );
  const note = {
    ...priceOfCredit(creditable, amountCents),
    id: newId(),
    transactionId: order.id,
    number: last + 1,
    principalCents: amountCents,
    reason,
    reference,
    createdBy: by.id,
    createdAt: order.now,
  };
  await insertRow(tx, 'credit_notes', { ...note, invoiceId: invoice?.id });
  await insertRow(tx, 'settlement_lines', {
    wholesalerId: order.wholesalerId,
    kind: 'credit-note',
    sourceId: note.id,
    transactionId: order.id,
    grossCents: -amountCents,
    commissionCents: -note.commissionCents,
  });
  const { id: creditNoteId, transactionId, principalCents, interestCents, ivaCents } = note;
  const amounts = { principalCents, interestCents, ivaCents };
  const { wholesalerId } = order;
  const data = { creditNoteId, transactionId, wholesalerId, ...amounts };
  await appendToOutbox(tx, outboxRows(transactionCredited, { id: creditNoteId, version: 1 }, data));
  return { ...note, isInvoiced: invoice !== undefined };
}
