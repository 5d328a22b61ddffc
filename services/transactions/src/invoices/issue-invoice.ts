import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { amountOf } from '@fiado/contracts/money';
import { type Context, INVOICE_LOOP } from '../context';
import { countInvoiceTry } from '../metrics';
import { isAbandoned } from '../orders/order.rules';
import { correctInvoice } from './correct-invoice';
import { storeInvoiceFile } from './invoice-file';
import { providerOf } from './invoice-issuer';
import {
  CancellationRefused,
  type InvoiceProvider,
  InvoiceRefused,
  NotIssuedYet,
  type ProviderInvoice,
  retryAfterOf,
  WRONG,
} from './invoice-provider';
import { type DocumentKind, isGivenUp, nextAttemptAt } from './invoice.rules';
import { chooseDocument } from './choose-document';
import { amountsOf } from './invoice-amounts.rules';
import { type ClaimedInvoice, WAITS_FOR_PROVIDER } from './invoice.sql';
import { InvoiceRow } from './invoice.entity';
import { CLAIM_SECONDS, tryDue } from './try-due';

const NO_ISSUER = 'Nobody issues invoices of this wholesaler';

const ORDER_ENDED = 'The transaction was cancelled or expired before its invoice was issued';

/**
 * Tries once to issue an invoice, looks up its state at the provider, or corrects it. The provider
 * is called outside any database transaction and with our id, so that a retry after a crash requests the
 * same invoice. A failure that may be temporary is stored with the time of the next attempt: a provider's
 * outage takes hours. An invoice of a cancelled or expired order fails, unless the provider has it, or
 * may have it: then it is issued and cancelled.
 */
async function tryInvoice(context: Context, invoice: ClaimedInvoice): Promise<void> {
  const { db } = context;
  if (invoice.status === 'issued') {
    await correctInvoice(context, invoice);
    return;
  }

  const { id: invoiceId, providerInvoiceId, now, attempts, mayAlreadyExist } = invoice;
  const { wholesalerId, hasOwnIssuer, transactionId, discountCents, products } = invoice;
  const invoiceProvider = (await providerOf(context, db, wholesalerId, hasOwnIssuer))?.provider;
  const why = invoiceProvider === undefined ? NO_ISSUER : ORDER_ENDED;
  const hasEnded = isAbandoned(invoice.transactionStatus) && !mayAlreadyExist;
  if (providerInvoiceId === null && (invoiceProvider === undefined || hasEnded)) {
    await recordFailure(db, invoiceId, why);
    countInvoiceTry('failed');
    return;
  }
  let outcome;
  try {
    if (invoiceProvider === undefined) throw new Error(NO_ISSUER);
    const document = await chooseDocument(context, invoice);
    outcome = await (providerInvoiceId === null
      ? invoiceProvider.issue({ ...document, invoiceId, transactionId, discountCents, products })
      : invoiceProvider.find(providerInvoiceId, document.kind));
    const expected = amountsOf(invoice)?.totalCents ?? 0;
    await refuseAnotherTotal(invoiceProvider, document.kind, expected, outcome);
    if (document.kind === 'invoice' && !outcome.isPending) {
      // Until its file is here it stays pending, and is looked up by its id: it is never given up.
      const claimEnds = new Date(now.getTime() + CLAIM_SECONDS * 1000);
      await recordProviderInvoice(db, invoiceId, { ...outcome, isPending: true }, claimEnds);
      await storeInvoiceFile(context, invoiceProvider, invoice, outcome);
    }
  } catch (error) {
    await recordError(context, invoice, error);
    return;
  }
  await recordProviderInvoice(db, invoiceId, outcome, nextAttemptAt(now, attempts));
  countInvoiceTry(outcome.isPending ? 'pending' : 'issued');
}

/** The provider bills another amount than we asked for. */
export class TotalDiffers extends InvoiceRefused {}

/**
 * Cancels a document that the provider issued with another total than ours. If the process dies before the failure is
 * stored, both are repeated.
 * @throws TotalDiffers; any other error may be temporary
 */
export async function refuseAnotherTotal(
  provider: InvoiceProvider,
  kind: DocumentKind,
  expected: number,
  { id, isPending, totalCents }: ProviderInvoice,
): Promise<void> {
  if (isPending || totalCents === null || totalCents === expected) return;
  const reason = `${provider.name} billed ${amountOf(totalCents)} and not ${amountOf(expected)} in ${id}`;
  await provider.cancel(id, kind, { motive: WRONG }).catch((error: unknown) => {
    if (!(error instanceof CancellationRefused)) throw error;
    throw new TotalDiffers(`${reason}, which is not cancelled: ${error.message}`);
  });
  throw new TotalDiffers(reason);
}

async function recordError(
  { db, log }: Context,
  { id: invoiceId, providerInvoiceId, now, createdAt, attempts, mayAlreadyExist }: ClaimedInvoice,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : 'unknown';
  // An invoice that the provider is processing may still be issued, so it is never given up.
  const isTooLate = providerInvoiceId === null && isGivenUp(now, createdAt);
  if (error instanceof InvoiceRefused || isTooLate) {
    await recordFailure(db, invoiceId, reason);
    countInvoiceTry(error instanceof TotalDiffers ? 'total-differs' : 'failed');
    log.warn({ invoiceId, attempts, reason }, 'invoice failed');
  } else {
    await db.manager.update(
      InvoiceRow,
      { id: invoiceId, status: 'pending' },
      {
        lastError: reason,
        nextAttemptAt: nextAttemptAt(now, attempts, retryAfterOf(error)),
        mayExist: mayAlreadyExist || !(error instanceof NotIssuedYet),
      },
    );
    countInvoiceTry('retried');
    log.warn({ invoiceId, attempts, reason }, 'invoice not issued yet');
  }
}

/** A round of the loop of invoices. @returns true when there may be more */
export const issueDueInvoices = tryDue<ClaimedInvoice>({
  loop: INVOICE_LOOP,
  table: 'invoices',
  waiting: WAITS_FOR_PROVIDER,
  more: `,
    (SELECT t.status FROM transactions t WHERE t.id = transaction_id) AS "transactionStatus",
    (SELECT t.user_id FROM transactions t WHERE t.id = transaction_id) AS "userId"`,
  attempt: tryInvoice,
});

/**
 * Stores the provider's result of an invoice. A pending one is looked up again at `nextAttemptAt`.
 */
async function recordProviderInvoice(
  db: Db,
  id: string,
  invoice: ProviderInvoice,
  nextAttemptAt: Date,
): Promise<void> {
  await query(
    db,
    `UPDATE invoices
        SET status = CASE WHEN $3 THEN 'pending' ELSE 'issued' END,
            issued_at = CASE WHEN $3 THEN NULL ELSE now() END,
            provider_invoice_id = $2, provider_status = $4, uuid = $5, self_invoice_url = $6,
            last_error = NULL,
            next_attempt_at = CASE WHEN $3 OR cancellation <> 'requested' THEN $7 ELSE now() END
      WHERE id = $1 AND status = 'pending'`,
    [
      id,
      invoice.id,
      invoice.isPending,
      invoice.status,
      invoice.uuid,
      invoice.selfInvoiceUrl,
      nextAttemptAt,
    ],
  );
}

/** Stores why an invoice is never issued. */
async function recordFailure(db: Db, id: string, reason: string): Promise<void> {
  await db.manager.update(
    InvoiceRow,
    { id, status: 'pending' },
    { status: 'failed', failureReason: reason, lastError: reason, cancellation: 'none' },
  );
}
