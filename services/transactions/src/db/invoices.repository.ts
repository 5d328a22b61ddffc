import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { ProviderInvoice } from '../clients/invoice-provider/invoice-provider';
import type { InvoicedProduct } from '../domain/invoice';
import type { TransactionStatus } from '../domain/transaction-status';

export const INVOICE_STATUSES = ['pending', 'issued', 'failed'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The invoice of a transaction: one, which is replaced only when it failed. */
export interface Invoice {
  id: string;
  transactionId: string;
  discountCents: number;
  products: InvoicedProduct[];
  status: InvoiceStatus;
  /** The invoice provider that was configured when it was created. */
  provider: string;
  providerInvoiceId: string | null;
  failureReason: string | null;
  /** Attempts to issue it, or to look up its state at the provider. */
  attempts: number;
  nextAttemptAt: Date;
  /** Why the newest try failed; null once a try succeeded. */
  lastError: string | null;
  /** The provider's name of its state. */
  providerStatus: string | null;
  /** The tax authority's id, once there is one. */
  uuid: string | null;
  /** Where the customer turns a receipt into an invoice of its own. */
  selfInvoiceUrl: string | null;
  createdAt: Date;
  issuedAt: Date | null;
}

/**
 * Longer than a call to the provider may take. After this time the worker that claimed it counts as
 * crashed.
 */
const CLAIM_SECONDS = 60;

/** An invoice that this process alone tries to issue. */
export interface ClaimedInvoice {
  id: string;
  transactionId: string;
  transactionStatus: TransactionStatus;
  discountCents: number;
  products: InvoicedProduct[];
  providerInvoiceId: string | null;
  /** Tries, this one included. */
  attempts: number;
  createdAt: Date;
  now: Date;
}

/** The invoice of a transaction. */
export function findInvoice(db: Db, transactionId: string): Promise<Invoice | undefined> {
  return queryRow<Invoice>(db, 'SELECT * FROM invoices WHERE transaction_id = $1', [transactionId]);
}

/** Pending invoices whose next try is due, the longest due first. */
export async function findDueInvoices(db: Db, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM invoices WHERE status = 'pending' AND next_attempt_at <= now()
      ORDER BY next_attempt_at LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Claims a due invoice for one attempt; undefined if it is final, not due, or claimed. */
export function claimInvoice(db: Db, id: string): Promise<ClaimedInvoice | undefined> {
  return queryRow<ClaimedInvoice>(
    db,
    `UPDATE invoices
        SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
      WHERE id = $1 AND status = 'pending' AND next_attempt_at <= now()
      RETURNING id, transaction_id,
                (SELECT t.status FROM transactions t WHERE t.id = transaction_id)
                  AS "transactionStatus",
                discount_cents, products, provider_invoice_id, attempts, created_at,
                now()`,
    [id, CLAIM_SECONDS],
  );
}

/**
 * Stores the provider's result of an invoice. A pending one is looked up again at `nextAttemptAt`.
 */
export async function recordProviderInvoice(
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
            last_error = NULL, next_attempt_at = $7
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

/** Stores why a try failed; the invoice stays pending and is retried at `nextAttemptAt`. */
export async function recordFailedTry(
  db: Db,
  id: string,
  error: string,
  nextAttemptAt: Date,
): Promise<void> {
  await query(
    db,
    `UPDATE invoices SET last_error = $2, next_attempt_at = $3
      WHERE id = $1 AND status = 'pending'`,
    [id, error, nextAttemptAt],
  );
}

/** Stores why an invoice is never issued. */
export async function recordFailure(db: Db, id: string, reason: string): Promise<void> {
  await query(
    db,
    `UPDATE invoices SET status = 'failed', failure_reason = $2, last_error = $2
      WHERE id = $1 AND status = 'pending'`,
    [id, reason],
  );
}
