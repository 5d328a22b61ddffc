import type { Db } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import type {
  CornerStoreSnapshot,
  Versioned,
  WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import type { CreditTerms } from '../domain/credit-terms';
import { HELD_CENTS } from './phone-holds.repository';

/** The columns of CreditTerms, of rows `line`, `customer` and `wholesaler`. */
export const CREDIT_TERMS = `now(), line.corner_store_id, line.user_id, line.status,
  line.overdue, line.limit_cents, line.used_cents, line.interest_rate, line.phone_sealed,
  customer.external_id, wholesaler.name AS "wholesalerName", wholesaler.minimum_transaction_cents,
  wholesaler.commission_rate, wholesaler.payment_term_days, wholesaler.delivery_overage_rate,
  line.time_zone, wholesaler.delivery_word_enabled,
  wholesaler.confirmation_required, wholesaler.batch_enabled, customer.phone_changes,
  customer.phone_held_until, ${HELD_CENTS} AS "heldCents"`;

interface TermsRow extends CreditTerms {
  incrementalId: number;
}

/**
 * The terms of one order and the number it will carry: everything that createTransaction reads, in
 * one round trip. A number is drawn for a refused order too; gaps are allowed.
 */
export async function findCreditTerms(
  db: Db,
  wholesalerId: string,
  cornerStoreId: string,
): Promise<TermsRow | undefined> {
  const [row] = await queryNamed<TermsRow>(
    db,
    'find-credit-terms',
    `SELECT ${CREDIT_TERMS}, nextval('incremental_ids') AS "incrementalId"
       FROM customers customer
       JOIN credit_lines line USING (corner_store_id)
       JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE customer.wholesaler_id = $1 AND customer.corner_store_id = $2`,
    [wholesalerId, cornerStoreId],
  );
  return row;
}

/** Stores the snapshot of a corner store from accounts, unless a newer one is stored. */
export async function recordCornerStore(
  db: Db,
  { version, snapshot }: Versioned<CornerStoreSnapshot>,
): Promise<void> {
  await query(
    db,
    `WITH line AS (
       INSERT INTO credit_lines
         (corner_store_id, user_id, version, status, limit_cents, interest_rate, phone_sealed,
          time_zone)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $9)
       ON CONFLICT (corner_store_id) DO UPDATE
         SET version = excluded.version, status = excluded.status,
             limit_cents = excluded.limit_cents, interest_rate = excluded.interest_rate,
             phone_sealed = excluded.phone_sealed,
             -- A store keeps its time zone or gets another; an older event has none.
             time_zone = coalesce(excluded.time_zone, credit_lines.time_zone)
         WHERE credit_lines.version < excluded.version
       RETURNING corner_store_id
     ), link AS (
       SELECT * FROM jsonb_to_recordset($8::jsonb) AS link(
         wholesaler_id uuid, external_id text, phone_changes integer, phone_held_until timestamptz)
     ), known AS (
       UPDATE customers
          SET phone_changes = link.phone_changes, phone_held_until = link.phone_held_until,
              -- Another change during a hold prolongs it; after one, or after ops cleared it, a new
              -- one begins.
              phone_changes_before_hold = CASE WHEN customers.phone_held_until > now()
                THEN customers.phone_changes_before_hold ELSE customers.phone_changes END
         FROM link JOIN line ON true
        WHERE customers.wholesaler_id = link.wholesaler_id
          AND customers.corner_store_id = line.corner_store_id
          AND (customers.phone_changes, customers.phone_held_until)
              IS DISTINCT FROM (link.phone_changes, link.phone_held_until)
     )
     INSERT INTO customers
       (wholesaler_id, corner_store_id, external_id, phone_changes, phone_held_until)
     SELECT wholesaler_id, $1, external_id, phone_changes, phone_held_until FROM link
     ON CONFLICT DO NOTHING`,
    [
      snapshot.cornerStoreId,
      snapshot.userId,
      version,
      snapshot.status,
      snapshot.creditLimitCents,
      snapshot.interestRate,
      Buffer.from(snapshot.phoneSealed, 'base64'),
      JSON.stringify(
        snapshot.customers.map((link) => ({
          wholesaler_id: link.wholesalerId,
          external_id: link.externalId,
          phone_changes: link.phoneChanges ?? 0,
          phone_held_until: link.phoneHeldUntil ?? null,
        })),
      ),
      snapshot.timeZone ?? null,
    ],
  );
}

/** Takes over a wholesaler's settings, unless newer ones are known already. */
export async function recordWholesaler(
  db: Db,
  { version, snapshot }: Versioned<WholesalerSnapshot>,
): Promise<void> {
  await query(
    db,
    `INSERT INTO wholesalers
       (wholesaler_id, version, name, minimum_transaction_cents, commission_rate, payment_term_days,
        delivery_word_enabled, delivery_word_required, confirmation_required, delivery_overage_rate,
        batch_enabled, batch_items_per_day)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (wholesaler_id) DO UPDATE
       SET version = excluded.version, name = excluded.name,
           minimum_transaction_cents = excluded.minimum_transaction_cents,
           commission_rate = excluded.commission_rate,
           payment_term_days = excluded.payment_term_days,
           delivery_word_enabled = excluded.delivery_word_enabled,
           delivery_word_required = excluded.delivery_word_required,
           confirmation_required = excluded.confirmation_required,
           delivery_overage_rate = excluded.delivery_overage_rate,
           batch_enabled = excluded.batch_enabled,
           batch_items_per_day = excluded.batch_items_per_day
       WHERE wholesalers.version < excluded.version`,
    [
      snapshot.wholesalerId,
      version,
      snapshot.name,
      snapshot.minimumTransactionCents,
      snapshot.commissionRate,
      snapshot.paymentTermDays,
      snapshot.deliveryWordEnabled,
      snapshot.deliveryWordRequired,
      snapshot.confirmationRequired,
      snapshot.deliveryOverageRate,
      snapshot.batchEnabled ?? true,
      snapshot.batchItemsPerDay ?? 0,
    ],
  );
}

/** The corner store that a wholesaler calls by that name. */
export async function findCornerStoreOf(
  db: Db,
  wholesalerId: string,
  externalId: string,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>(
    db,
    `SELECT corner_store_id AS id FROM customers WHERE wholesaler_id = $1 AND external_id = $2`,
    [wholesalerId, externalId],
  );
  return row?.id;
}
