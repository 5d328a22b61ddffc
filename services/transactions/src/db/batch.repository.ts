import { query, queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/shared/chassis/outbox/append';
import type { CreditTerms } from '../domain/credit-terms';

/** An accepted item of a batch, priced and numbered. Rates are decimal strings. */
export interface BatchRow {
  id: string;
  incremental_id: number;
  wholesaler_transaction_id: string | null;
  corner_store_id: string;
  user_id: string;
  amount_cents: number;
  interest_cents: number;
  iva_cents: number;
  commission_cents: number;
  interest_rate: string;
  iva_rate: string;
  commission_rate: string;
  movement_date: string;
  delivery_date: string | null;
  payment_due_at: string;
  expires_at: string;
  /** JSON, given back as it was sent. */
  metadata: string;
  products: Array<{ position: number; externalSKU: string; name: string; quantity: number }>;
  /** Sealed delivery word in base64; null where words are off. */
  word_sealed: string | null;
  /** Of the number that the word is sent to. */
  phone_changes: number;
}

const LOCK_TERMS = `
  SELECT now(), line.corner_store_id AS "cornerStoreId", line.user_id AS "userId", line.status,
         line.overdue, line.limit_cents AS "limitCents", line.used_cents AS "usedCents",
         line.interest_rate AS "interestRate", line.phone_sealed AS "phoneSealed",
         customer.external_id AS "externalId", wholesaler.name AS "wholesalerName",
         wholesaler.minimum_transaction_cents AS "minimumTransactionCents",
         wholesaler.commission_rate AS "commissionRate",
         wholesaler.payment_term_days AS "paymentTermDays",
         wholesaler.delivery_word_enabled AS "deliveryWordEnabled",
         wholesaler.confirmation_required AS "confirmationRequired",
         wholesaler.batch_enabled AS "batchEnabled", customer.phone_changes AS "phoneChanges",
         customer.phone_held_until AS "phoneHeldUntil"
    FROM credit_lines line
    JOIN customers customer USING (corner_store_id)
    JOIN wholesalers wholesaler USING (wholesaler_id)
   WHERE customer.wholesaler_id = $1 AND line.corner_store_id = ANY($2::uuid[])
   ORDER BY line.corner_store_id
     FOR UPDATE OF line`;

/**
 * The terms of many corner stores of one wholesaler, by corner store id, with their lines locked in
 * the order of their ids: two batches never wait in a ring.
 */
export async function lockBatchTerms(
  tx: Db,
  wholesalerId: string,
  cornerStoreIds: string[],
): Promise<Map<string, CreditTerms>> {
  const values = [wholesalerId, cornerStoreIds];
  const rows = await queryNamed<CreditTerms>(tx, 'lock-batch-terms', LOCK_TERMS, values);
  return new Map(rows.map((row) => [row.cornerStoreId, row]));
}

/**
 * Batch items that a wholesaler may still place on this day of Mexico City. Where it has a limit, its
 * row stays locked, so that parallel batches share what is left. Order of locks: before the lines.
 * @returns Infinity when it has no limit
 */
export async function lockBatchItemsLeft(
  tx: Db,
  wholesalerId: string,
  timeZone: string,
): Promise<number> {
  const [row] = await query<{ itemsLeft: number }>(
    tx,
    `SELECT batch_items_per_day
            - CASE WHEN batch_items_on = (now() AT TIME ZONE $2)::date THEN batch_items ELSE 0 END
              AS "itemsLeft"
       FROM wholesalers WHERE wholesaler_id = $1 AND batch_items_per_day > 0
        FOR NO KEY UPDATE`,
    [wholesalerId, timeZone],
  );
  return row?.itemsLeft ?? Infinity;
}

/** Counts accepted items against the wholesaler's limit of the day. With its row locked. */
export async function countBatchItems(
  tx: Db,
  wholesalerId: string,
  { count, timeZone }: { count: number; timeZone: string },
): Promise<void> {
  await query(
    tx,
    `UPDATE wholesalers
        SET batch_items_on = (now() AT TIME ZONE $3)::date,
            batch_items = $2::integer
              + CASE WHEN batch_items_on = (now() AT TIME ZONE $3)::date THEN batch_items ELSE 0 END
      WHERE wholesaler_id = $1`,
    [wholesalerId, count, timeZone],
  );
}

/** The database's time, which all of a batch is decided at. */
export async function databaseNow(tx: Db): Promise<Date> {
  const [row] = await query<{ now: Date }>(tx, 'SELECT now()');
  if (row === undefined) throw new Error('SELECT now() answers one row');
  return row.now;
}

/** The next numbers of the one sequence. */
export async function drawIncrementalIds(db: Db, count: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    `SELECT nextval('incremental_ids') AS id FROM generate_series(1, $1::integer)`,
    [count],
  );
  return rows.map((row) => row.id);
}

/** Writes all accepted items on lines that are locked: a fixed number of statements, one of them. */
export async function insertBatch(
  tx: Db,
  batch: { wholesalerId: string; driverId: string; rows: BatchRow[]; jobs: OutboxRow[] },
): Promise<void> {
  await queryNamed(tx, 'insert-batch', INSERT_BATCH, [
    batch.wholesalerId,
    batch.driverId,
    JSON.stringify(batch.rows),
    JSON.stringify(batch.jobs),
  ]);
}

const INSERT_BATCH = `
WITH item AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($3::jsonb) AS item(
    id uuid, incremental_id bigint, wholesaler_transaction_id text, corner_store_id uuid,
    user_id uuid, amount_cents bigint, interest_cents bigint, iva_cents bigint,
    commission_cents bigint, interest_rate numeric, iva_rate numeric, commission_rate numeric,
    movement_date timestamptz, delivery_date timestamptz, payment_due_at timestamptz,
    -- As text: jsonb would order the fields that are given back as they were sent.
    expires_at timestamptz, metadata text, products jsonb, word_sealed text, phone_changes integer)
),
line AS (
  UPDATE credit_lines line SET used_cents = used_cents + sums.amount_cents
    FROM (SELECT corner_store_id, sum(amount_cents)::bigint AS amount_cents
            FROM item GROUP BY corner_store_id) sums
   WHERE line.corner_store_id = sums.corner_store_id
),
created AS (
  INSERT INTO transactions
    (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id, status,
     amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
     movement_date, delivery_date, payment_due_at, expires_at, metadata, driver_id)
  SELECT id, incremental_id, $1::uuid, wholesaler_transaction_id, corner_store_id, user_id,
         'on-hold', amount_cents, interest_cents, iva_cents, interest_rate, iva_rate,
         commission_rate, movement_date, delivery_date, payment_due_at, expires_at,
         metadata::json, $2
    FROM item
    -- In one order for all batches: two that name the same orders wait at the unique index for each
    -- other's rows, and must not do so in a ring.
   ORDER BY wholesaler_transaction_id
),
entry AS (
  INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents)
  SELECT corner_store_id, id, 'hold', amount_cents FROM item
),
commission AS (
  INSERT INTO commissions (transaction_id, rate, amount_cents)
  SELECT id, commission_rate, commission_cents FROM item
),
product_line AS (
  INSERT INTO product_lines (transaction_id, position, external_sku, name, quantity)
  SELECT item.id, product.position, product."externalSKU", product.name, product.quantity
    FROM item, jsonb_to_recordset(item.products)
      AS product(position integer, "externalSKU" text, name text, quantity numeric)
),
word AS (
  INSERT INTO delivery_words (transaction_id, word_sealed, sends, phone_changes)
  SELECT id, decode(word_sealed, 'base64'), 1, phone_changes FROM item WHERE word_sealed IS NOT NULL
)
INSERT INTO outbox (${OUTBOX_COLUMNS})
SELECT job.* FROM jsonb_to_recordset($4::jsonb) AS job(${OUTBOX_RECORD})`;
