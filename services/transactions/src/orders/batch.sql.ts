import type { Db } from '@fiado/chassis/db/database';
import { oneByOne, query, queryNamed } from '@fiado/chassis/db/query';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { INSERT_HELD, NEW_ORDERS, orderIdLock } from './hold.sql';
import type { BatchLeft } from './batch.rules';
import type { NewOrder } from './order.rules';
import { jobsOf } from './order-statement.sql';

/**
 * What a wholesaler may still place by batches on this day of the time zone. Where it has a limit, its row stays
 * locked, so that parallel batches share what is left. Order of locks: before the lines.
 */
export async function lockBatchLeft(
  tx: Db,
  wholesalerId: string,
  timeZone: string,
): Promise<BatchLeft> {
  const [row] = await query<{ [Part in keyof BatchLeft]: number | null }>(
    tx,
    `SELECT nullif(batch_items_per_day, 0) - CASE WHEN is_today THEN batch_items ELSE 0 END AS items,
            nullif(batch_cents_per_day, 0) - CASE WHEN is_today THEN batch_cents ELSE 0 END AS cents
       FROM wholesalers
      CROSS JOIN LATERAL (SELECT batch_items_on = (now() AT TIME ZONE $2)::date AS is_today) day
      WHERE wholesaler_id = $1 AND (batch_items_per_day > 0 OR batch_cents_per_day > 0)
        FOR NO KEY UPDATE OF wholesalers`,
    [wholesalerId, timeZone],
  );
  return { items: row?.items ?? Infinity, cents: row?.cents ?? Infinity };
}

/** Counts accepted items against the wholesaler's limits of the day. With its row locked. */
export async function countBatch(
  tx: Db,
  wholesalerId: string,
  { items, cents, timeZone }: BatchLeft & { timeZone: string },
): Promise<void> {
  await query(
    tx,
    `UPDATE wholesalers
        SET batch_items_on = today,
            batch_items = $2::integer + CASE WHEN batch_items_on = today THEN batch_items ELSE 0 END,
            batch_cents = $3::bigint + CASE WHEN batch_items_on = today THEN batch_cents ELSE 0 END
       FROM (SELECT (now() AT TIME ZONE $4)::date AS today) day
      WHERE wholesaler_id = $1`,
    [wholesalerId, items, cents, timeZone],
  );
}

/**
 * Locks the ids of these orders until the database transaction ends, also for other instances. Without it, orders with
 * the same ids would wait for this batch at the unique index, and so would the orders of other wholesalers in the same
 * statement.
 */
export async function lockOrderIds(tx: Db, wholesalerId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(lock)
       FROM (SELECT DISTINCT ${orderIdLock('$1::uuid', 'id')} AS lock
               FROM unnest($2::text[]) AS id ORDER BY 1) locks`,
    [wholesalerId, ids],
  );
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

/** Writes all accepted items on lines that are locked, in one statement. */
export async function insertBatch(
  tx: Db,
  orders: Array<{ order: NewOrder; jobs: OutboxRow[] }>,
): Promise<void> {
  await queryNamed(tx, 'insert-batch', INSERT_BATCH, [
    JSON.stringify(orders.map(({ order }) => order)),
    JSON.stringify(orders.flatMap(({ order, jobs }) => jobsOf(order.id, jobs))),
  ]);
}

const INSERT_BATCH = `
WITH held AS (
  SELECT * FROM ${NEW_ORDERS}
),
line AS (
  UPDATE credit_lines line SET used_cents = used_cents + sums.amount_cents
    FROM (SELECT "cornerStoreId", sum("amountCents")::bigint AS amount_cents
            FROM held WHERE ${oneByOne('"cornerStoreId"')} GROUP BY "cornerStoreId") sums
   WHERE line.corner_store_id = sums."cornerStoreId"
),${INSERT_HELD}
SELECT`;
