import type { Transaction } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { Deposit } from './deposit';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/chassis/outbox/append';

/** A payment on one locked receivable, as stored. Amounts in cents. */
export interface PaymentRow {
  id: string;
  receivable_id: string;
  /** The version that this payment makes. */
  version: number;
  principal_cents: number;
  interest_cents: number;
  iva_cents: number;
  /** When nothing remains to pay. */
  paid_at: Date | null;
}

/** The deposit that pays, or null for money of a credit balance. */
export type PaymentSource = Pick<Deposit, 'id' | 'unassignments'> | null;

export interface Payments {
  source: PaymentSource;
  rows: PaymentRow[];
  events: OutboxRow[];
}

/**
 * Writes payments of any number of receivables in one statement: one round trip under the locks.
 */
export async function writePayments(
  tx: Transaction,
  { source, rows, events }: Payments,
): Promise<void> {
  await queryNamed(
    tx,
    'write-payments',
    `WITH payment AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(
         id uuid, receivable_id uuid, version bigint, principal_cents bigint,
         interest_cents bigint, iva_cents bigint, paid_at timestamptz)
     ),
     -- What is paid of each part; the table's CHECKs refuse more than is owed.
     paid AS (
       UPDATE receivables r
          SET paid_principal_cents = r.paid_principal_cents + p.principal_cents,
              paid_interest_cents = r.paid_interest_cents + p.interest_cents,
              paid_iva_cents = r.paid_iva_cents + p.iva_cents,
              version = p.version, paid_at = p.paid_at,
              in_default = r.in_default AND p.paid_at IS NULL
         FROM payment p WHERE r.id = p.receivable_id
     ),
     -- A default ends with the payment of the last cent.
     closed AS (
       UPDATE payment_defaults d SET paid_at = p.paid_at
         FROM payment p
        WHERE d.receivable_id = p.receivable_id AND d.paid_at IS NULL AND p.paid_at IS NOT NULL
     ),
     -- Where the money came from: a deposit pays a receivable once until it is unassigned.
     allocated AS (
       INSERT INTO allocations
         (id, deposit_id, unassignments, receivable_id, principal_cents, interest_cents, iva_cents)
       SELECT id, $2, $4, receivable_id, principal_cents, interest_cents, iva_cents FROM payment
     ),
     -- The ledger: negative, for it lowers what is outstanding.
     entered AS (
       INSERT INTO receivable_entries
         (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents)
       SELECT receivable_id, version, 'payment', id, -principal_cents, -interest_cents, -iva_cents
         FROM payment
     )
     -- And its events.
     INSERT INTO outbox (${OUTBOX_COLUMNS})
     SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset($3::jsonb) AS job(${OUTBOX_RECORD})`,
    [JSON.stringify(rows), source?.id ?? null, JSON.stringify(events), source?.unassignments ?? 0],
  );
}
