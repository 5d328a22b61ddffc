import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import { newId } from '@fiado/contracts/new-id';
import { In } from '@fiado/chassis/db/typeorm';
import type { Context } from '../context';
import { creditedCentsOf } from '../credit-notes/credit-note';
import { countInvoiceTry } from '../metrics';
import { isAbandoned, type OrderStatus } from '../orders/order.rules';
import { InvoiceRow } from './invoice.entity';
import { providerOf } from './invoice-issuer';
import type { ClaimedInvoice } from './invoice.sql';
import {
  CANCELLED,
  CancellationRefused,
  CancellationUndecided,
  EXPIRED,
  type InvoiceProvider,
  InvoiceRefused,
  isUndecided,
  localInvoiceProvider,
  NOT_SOLD,
  retryAfterOf,
  SIMULATED,
  WRONG,
} from './invoice-provider';
import { IS_LIVE } from '../db/tax-documents.sql';
import { TaxDocumentRow } from '../tax-documents/tax-document.entity';
import { exceedsOrder, nextAttemptAt, shrink, totalCentsOf } from './invoice.rules';

/**
 * Cancels an issued invoice that a person wants cancelled (`cancelInvoice`), or corrects one whose order ended, or that bills
 * more than is left of its order. One in somebody's name gets a credit note for what it bills too much. Any other, and one of
 * an order that was not sold, is cancelled; where something is left of its order, a smaller one takes its place. A trigger
 * requested the correction (`correct_invoice`). Each step may be repeated: a cancelled invoice stays cancelled, and the new
 * one is a row before its provider is asked. One that its provider will not cancel, because it was turned into an invoice of
 * its customer, stays as it is.
 */
export async function correctInvoice(context: Context, invoice: ClaimedInvoice): Promise<void> {
  const { db, log } = context;
  const { id: invoiceId, providerInvoiceId, attempts, now, cancelMotive } = invoice;
  const { substitutionUuid, providerStatus } = invoice;
  const isByHand = cancelMotive !== null;
  if (!isByHand && invoice.kind === 'invoice' && !isAbandoned(invoice.transactionStatus)) {
    await db.transaction((tx) => writeCreditNote(tx, invoice));
    return;
  }
  const isRight =
    !isByHand &&
    (await db.transaction(async (tx) => {
      if (exceeds(invoice, (await lockBillable(tx, invoice)).cents)) return false;
      await tx.manager.update(InvoiceRow, invoiceId, { cancellation: 'none' });
      return true;
    }));
  if (isRight) return;
  try {
    const provider = await providerOfIssued(context, invoice);
    if (provider === undefined) throw new Error('Nobody cancels invoices of this wholesaler');
    await provider.cancel(providerInvoiceId ?? '', invoice.kind ?? 'receipt', {
      motive: cancelMotive ?? (isAbandoned(invoice.transactionStatus) ? NOT_SOLD : WRONG),
      substitutionUuid,
      // Once the provider said that it waits, what its receiver said since then counts.
      isAnew: !isUndecided(providerStatus),
    });
  } catch (error) {
    const isFinal = error instanceof CancellationRefused || error instanceof InvoiceRefused;
    const hasStatus =
      error instanceof CancellationRefused || error instanceof CancellationUndecided;
    const isExpired = hasStatus && error.status === EXPIRED;
    const reason = error instanceof Error ? error.message : 'unknown';
    await db.manager.update(
      InvoiceRow,
      { id: invoiceId, cancellation: 'requested' },
      {
        lastError: reason,
        nextAttemptAt: nextAttemptAt(now, attempts, retryAfterOf(error)),
        ...(isFinal && { cancellation: isExpired ? 'expired' : 'rejected' }),
        ...(hasStatus && { providerStatus: error.status }),
      },
    );
    if (isFinal && isByHand) await db.transaction((tx) => correctKept(tx, invoice));
    countInvoiceTry(isFinal ? 'not-cancelled' : 'retried');
    log.warn({ invoiceId, attempts, reason, isFinal }, 'invoice not cancelled');
    return;
  }
  const replacedBy = await db.transaction((tx) => replace(tx, invoice));
  countInvoiceTry('cancelled');
  log.info({ invoiceId, providerInvoiceId, replacedBy }, 'invoice cancelled');
  if (replacedBy !== undefined) context.invoiceLoop.wake();
}

/** Who has an issued document. */
export async function providerOfIssued(
  context: Context,
  {
    provider,
    wholesalerId,
    hasOwnIssuer,
  }: Pick<ClaimedInvoice, 'provider' | 'wholesalerId' | 'hasOwnIssuer'>,
): Promise<InvoiceProvider | undefined> {
  if (provider === SIMULATED) return localInvoiceProvider;
  return (await providerOf(context, context.db, wholesalerId, hasOwnIssuer))?.provider;
}

/** The amount of an order less its credit notes, in integer cents, with its row locked; 0 for an order that ended. */
async function lockBillable(
  tx: Transaction,
  { transactionId }: ClaimedInvoice,
): Promise<{ wholesalerId: string; cents: number }> {
  const order = await queryOne<{
    wholesalerId: string;
    status: OrderStatus;
    amountCents: number;
  }>(
    tx,
    `SELECT wholesaler_id, status, amount_cents FROM transactions WHERE id = $1 FOR NO KEY UPDATE`,
    [transactionId],
  );
  // A separate statement sees the notes that the lock waited for.
  const credited = await creditedCentsOf(tx, transactionId);
  const cents = isAbandoned(order.status) ? 0 : order.amountCents - credited;
  return { wholesalerId: order.wholesalerId, cents };
}

/** A row for what an invoice bills too much, which waits for its provider. */
async function writeCreditNote(tx: Transaction, invoice: ClaimedInvoice): Promise<void> {
  const { id: invoiceId, transactionId, provider } = invoice;
  const { cents: billableCents, wholesalerId } = await lockBillable(tx, invoice);
  const { cents: creditedCents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT coalesce(sum(cents), 0)::bigint AS cents FROM tax_documents
      WHERE transaction_id = $1 AND invoice_id = $2 AND kind = 'credit-note' AND ${IS_LIVE}`,
    [transactionId, invoiceId],
  );
  const cents = totalCentsOf(invoice) - creditedCents - billableCents;
  if (cents > 0 && exceeds(invoice, billableCents, creditedCents)) {
    const id = newId();
    const document = {
      id,
      documentId: id,
      kind: 'credit-note',
      nettedCents: cents,
      cents,
    } as const;
    const of = { wholesalerId, transactionId, invoiceId, provider };
    await tx.manager.insert(TaxDocumentRow, { ...document, ...of });
  }
  await tx.manager.update(InvoiceRow, invoiceId, { cancellation: 'none' });
}

/** An order that ended or shrank while its invoice was to be cancelled by hand asks for the correction of the one that stayed. */
async function correctKept(tx: Transaction, invoice: ClaimedInvoice): Promise<void> {
  if (!exceeds(invoice, (await lockBillable(tx, invoice)).cents)) return;
  await tx.manager.update(
    InvoiceRow,
    { id: invoice.id, cancellation: In(['rejected', 'expired']) },
    {
      cancellation: 'requested',
      cancelMotive: null,
      substitutionUuid: null,
      nextAttemptAt: () => 'now()',
    },
  );
}

function exceeds(invoice: ClaimedInvoice, billableCents: number, creditedCents = 0): boolean {
  return billableCents === 0 || exceedsOrder(invoice, billableCents + creditedCents);
}

/**
 * Stores that an invoice is cancelled. Where its order asked for it and something is left of that, a smaller one takes its
 * place, which waits to be issued.
 * @returns the id of the smaller one
 */
async function replace(tx: Transaction, invoice: ClaimedInvoice): Promise<string | undefined> {
  const { id: invoiceId, transactionId, provider, hasOwnIssuer, receiver } = invoice;
  const { cents, wholesalerId } = await lockBillable(tx, invoice);
  const { affected } = await tx.manager.update(
    InvoiceRow,
    { id: invoiceId, cancellation: 'requested' },
    { cancellation: 'accepted', providerStatus: CANCELLED, lastError: null },
  );
  // Another process that took it for abandoned was faster.
  if (affected === 0 || cents === 0 || invoice.cancelMotive !== null) return undefined;
  await tx.manager.delete(InvoiceRow, { id: invoiceId });
  const id = newId();
  await tx.manager.insert(InvoiceRow, {
    ...shrink(invoice, cents),
    id,
    transactionId,
    wholesalerId,
    status: 'pending',
    provider,
    hasOwnIssuer,
    receiver,
  });
  return id;
}
