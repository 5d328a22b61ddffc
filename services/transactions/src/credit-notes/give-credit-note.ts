import type { Transaction } from '@fiado/chassis/db/database';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { audit } from '@fiado/chassis/outbox/append';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findWholesalerOf, lockOrder, type OrderWithTerms } from '../orders/order.sql';
import { bookOrRequestCreditNote, type Credit } from './book-credit-note';
import { creditNoteCreation, creditOf } from './create-credit-note';
import { type CreditNote, exampleCreditNote } from './credit-note';

export const giveCreditNoteEndpoint = endpoint({
  ...creditNoteCreation,
  id: 'giveCreditNote',
  as: 'transactions.giveCreditNote',
  tag: 'Ops: transactions',
  route: 'POST /v1/admin/transactions/:transactionId/credit-notes',
  scope: 'operator',
  summary: 'Credit goods of a delivered transaction of any wholesaler',
  description:
    'As the wholesaler does, and at any time after the delivery. The amount is taken from the next statement of the ' +
    'wholesaler. Waits for a second person, also for a key, when ops credits more than 10,000 pesos of the ' +
    'transaction, or when the note takes the unpaid statements and the draft of the wholesaler together below ' +
    'zero: 202. Without `FOUR_EYES` it is given at once: 201.',
  bodyExample: { amount: 120, reason: 'damaged' },
  example: { ...exampleCreditNote, reason: 'damaged', reference: null },
  input: ({ body, caller: by, id }) => ({
    by,
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    credit: creditOf(body),
  }),
  handle: giveCreditNote,
});

/** @throws AppError TRANSACTION_NOT_FOUND, and those of bookOrRequestCreditNote */
export async function giveCreditNote(
  context: Context,
  { by, transactionId, credit }: { by: Caller; transactionId: string; credit: Credit },
  answerOf: StoreAnswer<CreditNote | ChangeRequested>,
): Promise<CreditNote | ChangeRequested> {
  return answerInTransaction(context, answerOf, async (tx) => {
    const wholesalerId = await findWholesalerOf(tx, transactionId);
    const order = wholesalerId && (await lockOrder(tx, wholesalerId, transactionId));
    if (!order) throw new AppError('TRANSACTION_NOT_FOUND');
    return giveNoteOfOps(context, tx, { by, order, credit });
  });
}

/** Gives a credit note of a locked order, which is audited, or lets it wait. @throws AppError as bookOrRequestCreditNote */
export async function giveNoteOfOps(
  context: Context,
  tx: Transaction,
  asked: { by: Caller; order: OrderWithTerms; credit: Credit; why?: string },
): Promise<CreditNote | ChangeRequested> {
  const { by, order } = asked;
  const given = await bookOrRequestCreditNote(context, tx, asked);
  if (given instanceof ChangeRequested) return given;
  const { id: creditNoteId, principalCents, reason } = given;
  const details = { creditNoteId, amountCents: principalCents, reason };
  await audit(tx, by, { action: 'credit-note.given', objectId: order.id, details });
  return given;
}
