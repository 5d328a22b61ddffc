import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { requestChange, type WaitingChange } from '@fiado/chassis/outbox/waiting-changes';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, type ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import { transactionCredited } from '@fiado/contracts/jobs/debts';
import { amountOf } from '@fiado/contracts/money';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { closeCreditedDispute } from '../disputes/close-dispute';
import type { OrderWithTerms } from '../orders/order.sql';
import { sumDraft } from '../statements/view-statement';
import { totalsOf } from '../statements/settlement.rules';
import type { CreditNote } from './credit-note';
import { refuseCreditNote } from './credit-note-request';
import { creditableCents, creditRefusal, priceOfCredit } from './credit-note.rules';
import { SettlementLineRow } from '../statements/settlement-line.entity';
import { CreditNoteRow } from './credit-note.entity';
import type { InvoiceRow } from '../invoices/invoice.entity';

/** What is credited. */
export type Credit = Pick<CreditNote, 'reason' | 'reference'> & { amountCents: number };

/** A credit note that is not written yet. */
type NewCreditNote = Omit<CreditNote, 'createdBy' | 'isInvoiced'>;

/**
 * Books a credit note of a locked order, or lets it wait for a second person: one of ops that is large,
 * and any that the wholesaler cannot give back from what it is still to be paid.
 * @param asked `why` is what the second person reads
 * @throws AppError TRANSACTION_NOT_CREDITABLE, CREDIT_NOTE_ALREADY_EXISTS,
 *   CREDIT_NOTE_AMOUNT_NOT_ALLOWED, CHANGE_ALREADY_REQUESTED
 */
export async function bookOrRequestCreditNote(
  context: Context,
  tx: Transaction,
  {
    order,
    credit,
    by,
    why,
  }: { order: OrderWithTerms; credit: Credit; by: Pick<Caller, 'kind' | 'id'>; why?: string },
): Promise<CreditNote | ChangeRequested> {
  const byWholesaler = by.kind === 'wholesaler';
  const note = await newCreditNote(tx, order, credit, byWholesaler);
  const waits =
    context.config.FOUR_EYES !== 'off' &&
    ((!byWholesaler && (await isTooMuchForOps(tx, order, credit))) ||
      (await takesBelowZero(context, tx, order, note)));
  if (!waits) return writeCreditNote(tx, order, note, by.id);
  return requestChange(tx, {
    by,
    kind: 'credit-note.give',
    targetId: order.id,
    payload: { wholesalerId: order.wholesalerId, ...credit },
    before: {},
    ...(why !== undefined && { reason: why }),
  });
}

/**
 * Books an approved credit note of a locked order. The days of the wholesaler counted when it asked.
 * @throws AppError as bookOrRequestCreditNote
 */
export async function bookApprovedCreditNote(
  tx: Transaction,
  order: OrderWithTerms,
  credit: Credit,
  requestedBy: string,
): Promise<void> {
  await writeCreditNote(tx, order, await newCreditNote(tx, order, credit, false), requestedBy);
}

/** A delivery from before the statements has no line, and gets no credit note. */
async function newCreditNote(
  tx: Transaction,
  order: OrderWithTerms,
  { amountCents, reason, reference }: Credit,
  byWholesaler: boolean,
): Promise<NewCreditNote> {
  const { last, isRepeated, ...credited } = await queryOne<{
    creditedCents: number;
    clawedBackCents: number;
    last: number;
    isRepeated: boolean;
    isSettled: boolean;
  }>(
    tx,
    `SELECT coalesce(sum(principal_cents), 0)::bigint AS "creditedCents",
            coalesce(max(number), 0) AS last, coalesce(bool_or(fold_key(reference) = fold_key($2)), false) AS "isRepeated",
            EXISTS (SELECT FROM settlement_lines WHERE kind = 'delivery' AND source_id = $1)
              AS "isSettled",
            (SELECT coalesce(-sum(gross_cents), 0)::bigint FROM settlement_lines
              WHERE transaction_id = $1 AND kind = 'clawback') AS "clawedBackCents"
       FROM credit_notes WHERE transaction_id = $1`,
    [order.id, reference],
  );
  if (isRepeated) throw new AppError('CREDIT_NOTE_ALREADY_EXISTS');
  const creditable = { ...order, ...credited };
  const refusal = creditRefusal(creditable, { amountCents, byWholesaler });
  if (refusal !== undefined) {
    const maximumAmount = amountOf(Math.max(creditableCents(creditable), 0));
    const isTooLarge = refusal === 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED';
    throw new AppError(refusal, isTooLarge ? { fields: { maximumAmount } } : {});
  }
  return {
    ...priceOfCredit(creditable, amountCents),
    id: newId(),
    transactionId: order.id,
    number: last + 1,
    principalCents: amountCents,
    reason,
    reference,
    createdAt: order.now,
  };
}

/** Whether ops credits more of an order than one person may, in one note or in several. */
async function isTooMuchForOps(
  tx: Transaction,
  { id, wholesalerId }: OrderWithTerms,
  { amountCents }: Credit,
): Promise<boolean> {
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT coalesce(sum(principal_cents), 0)::bigint AS cents FROM credit_notes
      WHERE transaction_id = $1 AND created_by <> $2`,
    [id, wholesalerId],
  );
  return cents + amountCents > CHANGE_KINDS['credit-note.give'].aboveCents;
}

/** A line that is older is committed: no database transaction lasts longer. */
const COMMITTED_AFTER_MS = 10 * 60_000;

/**
 * Whether a note is larger than what the wholesaler is still to be paid: then the wholesaler owes money that it has
 * already received. Locks the wholesaler, so that two notes at once do not spend the same money. The sum of a draft of
 * 300,000 lines takes a tenth of a second, so most of it is read before the lock.
 */
async function takesBelowZero(
  { config }: Context,
  tx: Transaction,
  { wholesalerId, now }: OrderWithTerms,
  { principalCents, commissionCents }: NewCreditNote,
): Promise<boolean> {
  const committed = new Date(now.getTime() - COMMITTED_AFTER_MS);
  const older = await sumDraft(tx, wholesalerId, { before: committed });
  await query(tx, 'SELECT FROM wholesalers WHERE wholesaler_id = $1 FOR NO KEY UPDATE', [
    wholesalerId,
  ]);
  const newer = await sumDraft(tx, wholesalerId, { since: committed });
  const isOneDraft = newer.lastNumber === older.lastNumber;
  // A statement that closed meanwhile took lines of both parts.
  const draft = isOneDraft ? newer : await sumDraft(tx, wholesalerId);
  const before = isOneDraft ? older : { grossCents: 0, commissionCents: 0 };
  const sums = {
    grossCents: before.grossCents + draft.grossCents - principalCents,
    commissionCents: before.commissionCents + draft.commissionCents - commissionCents,
  };
  const terms = { commissionIva: config.COMMISSION_IVA, ivaRate: config.IVA_RATE };
  return draft.unpaidCents + totalsOf(sums, draft.carriedCents, terms).netCents < 0;
}

/**
 * Writes a note, its line of the wholesaler's next statement, and the job that lowers the debt. A dispute ends when
 * all of its order is credited.
 */
async function writeCreditNote(
  tx: Transaction,
  { wholesalerId, cornerStoreId }: OrderWithTerms,
  note: NewCreditNote,
  createdBy: string,
): Promise<CreditNote> {
  const { id: creditNoteId, transactionId, principalCents, interestCents, ivaCents } = note;
  // The second person would approve less than they saw: a note of this order that waits ends.
  const [waiting] = await query<WaitingChange>(
    tx,
    'DELETE FROM waiting_changes WHERE target_id = $1 RETURNING *',
    [transactionId],
  );
  if (waiting !== undefined) await refuseCreditNote(tx, waiting, { status: 'replaced' });
  const invoiceId = await invoiceOf(tx, transactionId);
  await tx.manager.insert(CreditNoteRow, {
    ...note,
    cornerStoreId,
    createdBy,
    invoiceId: invoiceId ?? null,
  });
  await tx.manager.insert(SettlementLineRow, {
    wholesalerId,
    kind: 'credit-note',
    sourceId: creditNoteId,
    transactionId,
    grossCents: -principalCents,
    commissionCents: -note.commissionCents,
  });
  const amounts = { principalCents, interestCents, ivaCents };
  const data = { creditNoteId, transactionId, wholesalerId, ...amounts };
  await appendToOutbox(tx, outboxRows(transactionCredited, { id: creditNoteId, version: 1 }, data));
  await closeCreditedDispute(tx, transactionId, createdBy);
  return { ...note, createdBy, isInvoiced: invoiceId !== undefined };
}

async function invoiceOf(db: Db, transactionId: string): Promise<string | undefined> {
  const invoice = await queryRow<Pick<InvoiceRow, 'id'>>(
    db,
    `SELECT id FROM invoices WHERE transaction_id = $1 AND status <> 'failed'`,
    [transactionId],
  );
  return invoice?.id;
}
