import { InvoiceRefused } from '../clients/invoice-provider/invoice-provider';
import type { Context } from '../context';
import {
  claimInvoice,
  recordFailedTry,
  recordFailure,
  recordProviderInvoice,
  type ClaimedInvoice,
} from '../db/invoices.repository';
import { isGivenUp, nextAttemptAt } from '../domain/invoice-retry';
import { isAbandoned } from '../domain/transaction-status';
import { countInvoiceTry } from '../metrics';

const ORDER_ENDED = 'The transaction was cancelled or expired before its invoice was issued';

/**
 * Tries once to issue a due invoice, or looks up its state at the provider. The provider is called
 * outside any database transaction and with our id, so that a retry after a crash requests the same
 * invoice. A failure that may be temporary is stored with the time of the next attempt; it is not
 * thrown, as the tries of a job end within a minute and a provider's outage takes hours. An invoice
 * of a cancelled or expired order fails, unless the provider has it already.
 */
export async function issueInvoice(context: Context, invoiceId: string): Promise<void> {
  const { db, invoiceProvider } = context;
  const invoice = await claimInvoice(db, invoiceId);
  if (invoice === undefined) return;

  const { providerInvoiceId, now, attempts } = invoice;
  if (providerInvoiceId === null && isAbandoned(invoice.transactionStatus)) {
    await recordFailure(db, invoiceId, ORDER_ENDED);
    countInvoiceTry('failed');
    return;
  }
  let outcome;
  try {
    outcome = await (providerInvoiceId === null
      ? invoiceProvider.issue({ ...invoice, invoiceId })
      : invoiceProvider.find(providerInvoiceId));
  } catch (error) {
    await recordError(context, invoice, error);
    return;
  }
  await recordProviderInvoice(db, invoiceId, outcome, nextAttemptAt(now, attempts));
  countInvoiceTry(outcome.isPending ? 'pending' : 'issued');
}

async function recordError(
  { db, log }: Context,
  { id: invoiceId, providerInvoiceId, now, createdAt, attempts }: ClaimedInvoice,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : 'unknown';
  // An invoice that the provider is processing may still be issued, so it is never given up.
  const isTooLate = providerInvoiceId === null && isGivenUp(now, createdAt);
  if (error instanceof InvoiceRefused || isTooLate) {
    await recordFailure(db, invoiceId, reason);
    countInvoiceTry('failed');
    log.warn({ invoiceId, attempts }, 'invoice failed');
  } else {
    await recordFailedTry(db, invoiceId, reason, nextAttemptAt(now, attempts));
    countInvoiceTry('retried');
    log.warn({ invoiceId, attempts, reason }, 'invoice not issued yet');
  }
}
