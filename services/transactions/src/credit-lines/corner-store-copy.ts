import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import {
  type CornerStoreSnapshot,
  type CustomerLink,
  snapshotsCall,
  type SnapshotsQuestion,
  type Versioned,
  type WholesalerSnapshot,
} from '@fiado/contracts/corner-store';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';

/**
 * Fetches corner stores, by their ids or one by its externalId, and their wholesaler from accounts
 * and stores them. Called before an order is refused, outside any database transaction. Concurrent
 * orders for the same stores share one call.
 * @throws AppError SERVICE_UNAVAILABLE when accounts cannot be reached
 */
export function refreshCreditTerms(context: Context, question: SnapshotsQuestion): Promise<void> {
  return context.refreshes.run(JSON.stringify(question), async () => {
    const answer = await context.accounts.ask(snapshotsCall, question);
    if (answer.wholesaler !== null) await recordWholesaler(context.db, answer.wholesaler);
    for (const cornerStore of answer.cornerStores) await recordCornerStore(context, cornerStore);
  });
}

/**
 * Stores the snapshot of a corner store from accounts, unless a newer one is stored. Its phone may be
 * sealed with an older key, because a job may wait for weeks: it is stored with the newest.
 * @throws AppError SERVICE_UNAVAILABLE when this process has not read the key yet
 */
export async function recordCornerStore(
  { db, sealer }: Context,
  { version, snapshot }: Versioned<CornerStoreSnapshot>,
): Promise<void> {
  const phone = Buffer.from(snapshot.phoneSealed, 'base64');
  await query(
    db,
    `WITH line AS (
       INSERT INTO credit_lines
         (corner_store_id, user_id, version, status, limit_cents, interest_rate, phone_sealed,
          time_zone, phone_unproven_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $9, $10)
       ON CONFLICT (corner_store_id) DO UPDATE
         SET version = excluded.version, status = excluded.status,
             limit_cents = excluded.limit_cents, interest_rate = excluded.interest_rate,
             -- An erased store stays erased, even if an older job arrives later.
             phone_sealed = CASE WHEN credit_lines.phone_sealed IS NOT NULL
                                 THEN excluded.phone_sealed END,
             phone_unproven_by = excluded.phone_unproven_by,
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
      sealer.reseal(phone, PHONE_PURPOSE, snapshot.cornerStoreId) ?? phone,
      JSON.stringify(snapshot.customers.map(linkRow)),
      snapshot.timeZone,
      snapshot.phoneUnprovenBy ?? null,
    ],
  );
}

/** Removes the credit of a store that a restore erased again; `version` is that of its block in accounts. */
export async function recordErasedStore(
  db: Db,
  { cornerStoreId, version }: { cornerStoreId: string; version: number },
): Promise<void> {
  await query(
    db,
    `UPDATE credit_lines SET version = greatest(version, $2), status = 'pre-approved', limit_cents = 0
      WHERE corner_store_id = $1`,
    [cornerStoreId, version],
  );
}

function linkRow(link: CustomerLink): object {
  return {
    wholesaler_id: link.wholesalerId,
    external_id: link.externalId,
    phone_changes: link.phoneChanges ?? 0,
    phone_held_until: link.phoneHeldUntil ?? null,
  };
}

/** Stores the settings of a wholesaler from accounts, unless newer ones are stored. */
export async function recordWholesaler(
  db: Db,
  { version, snapshot }: Versioned<WholesalerSnapshot>,
): Promise<void> {
  await query(
    db,
    `INSERT INTO wholesalers
       (wholesaler_id, version, name, minimum_transaction_cents, commission_rate, payment_term_days,
        delivery_word_enabled, delivery_word_required, confirmation_required, delivery_overage_rate,
        batch_enabled, batch_items_per_day, settlement_every, batch_cents_per_day,
        hold_unproven_days)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, 'weekly'),
             coalesce($14, 0), coalesce($15, 0))
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
           batch_items_per_day = excluded.batch_items_per_day,
           settlement_every = coalesce($13, wholesalers.settlement_every),
           batch_cents_per_day = coalesce($14, wholesalers.batch_cents_per_day),
           hold_unproven_days = coalesce($15, wholesalers.hold_unproven_days)
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
      snapshot.batchEnabled,
      snapshot.batchItemsPerDay,
      snapshot.settlementEvery,
      snapshot.batchCentsPerDay,
      snapshot.holdUnprovenDays,
    ],
  );
}
