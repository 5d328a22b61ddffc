import { isUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { findTimeline, REFUSALS_OF_STORE, TIMELINE_END } from '@fiado/chassis/db/find-timeline';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { countDeadJobs, sampledFigures } from '@fiado/chassis/ops-figures';
import { type OrderFigures, orderFiguresCall } from '@fiado/contracts/ops-figures';
import { typedCents } from '@fiado/contracts/money';
import { MAX_HITS, searchCall, type SearchHit } from '@fiado/contracts/page';
import { timelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';

export const opsFiguresEndpoint = internalEndpoint({
  call: orderFiguresCall,
  allow: ['service:accounts'],
  handle: sampledFigures(readOpsFigures),
});

export const timelineEndpoint = internalEndpoint({
  call: timelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, question) => ({
    entries: await findTimeline(db, question, PARTS),
  }),
});

export const searchEndpoint = internalEndpoint({
  call: searchCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { text }) => ({
    hits: [...(await searchOrders(db, text)), ...(await findByAmount(db, text))],
  }),
});

/** The orders of the day that began at `since`, by hour. */
async function readOpsFigures({ db }: Pick<Context, 'db'>, since: Date): Promise<OrderFigures> {
  const hours = await query<{ startsAt: Date; orders: number; amountCents: number }>(
    db,
    // By wholesaler, as the indexes by time are.
    `SELECT date_bin('1 hour', t.created_at, $1) AS "startsAt", count(*)::int AS orders,
            sum(t.amount_cents)::bigint AS "amountCents"
       FROM wholesalers, LATERAL (
         SELECT created_at, amount_cents FROM transactions
          WHERE wholesaler_id = wholesalers.wholesaler_id AND created_at >= $1) t
      GROUP BY 1 ORDER BY 1`,
    [since],
  );
  const dead = await countDeadJobs(db);
  return {
    asOf: dead.asOf.toISOString(),
    deadJobs: dead.count,
    orders: hours.reduce((sum, { orders }) => sum + orders, 0),
    amountCents: hours.reduce((sum, { amountCents }) => sum + amountCents, 0),
    hours: hours.map((hour) => ({ ...hour, startsAt: hour.startsAt.toISOString() })),
  };
}

/** A larger number is no incremental id, which is a bigint. */
const INCREMENTAL_ID = /^\d{1,15}$/;

/**
 * Orders by their id, their number or their id in the wholesaler's system, then refused ones by the latter. Each reads
 * one index.
 */
async function searchOrders(db: Db, text: string): Promise<SearchHit[]> {
  const orders = await query<SearchHit>(
    db,
    `SELECT 'transaction' AS kind, found."matchedBy", t.id, t.wholesaler_id, t.corner_store_id,
            t.incremental_id::text AS label
       FROM (SELECT id, 'id' AS "matchedBy" FROM transactions WHERE id = $1
             UNION ALL
             SELECT id, 'incrementalID' FROM transactions WHERE incremental_id = $2
             UNION ALL
             (SELECT id, 'wholesalerTransactionId' FROM transactions
               WHERE wholesaler_transaction_id = ANY(ARRAY[$3, fold_key($3)]) LIMIT ${MAX_HITS})) found
       JOIN transactions t USING (id)
      ORDER BY t.created_at DESC, t.id DESC`,
    [isUUID(text) ? text : null, INCREMENTAL_ID.test(text) ? Number(text) : null, text],
  );
  const refused = await query<SearchHit>(
    db,
    `SELECT 'refused-transaction' AS kind, 'wholesalerTransactionId' AS "matchedBy", id, wholesaler_id,
            corner_store_id, ids ->> 'wholesalerTransactionId' AS label, error_code
       -- OFFSET 0: few rows have it, and a plan in the order of the time reads all.
       FROM (SELECT * FROM refusals WHERE ${REFUSED_ORDER} = fold_key($1) OFFSET 0) refused
      ORDER BY refused_at DESC LIMIT ${MAX_HITS}`,
    [text],
  );
  return [...orders, ...refused];
}

/** Orders that are read at each end, of those that are not delivered: no index finds them by their amount. */
const MAX_UNDELIVERED = 400;

/** SQL: those that expire first, which await their code, or last, which are the newest. */
const undelivered = (direction: 'ASC' | 'DESC'): string => `
  (SELECT id, wholesaler_id, corner_store_id, incremental_id, amount_cents, interest_cents, iva_cents
     FROM transactions WHERE status IN ('pending-verification', 'on-hold')
    ORDER BY expires_at ${direction} LIMIT ${MAX_UNDELIVERED})`;

/** Orders of exactly that much, with interest or without, that are not delivered: payments has the others. */
async function findByAmount(db: Db, text: string): Promise<SearchHit[]> {
  const cents = typedCents(text);
  if (cents === undefined) return [];
  return query<SearchHit>(
    db,
    `SELECT 'transaction' AS kind, 'amount' AS "matchedBy", id, wholesaler_id, corner_store_id,
            incremental_id::text AS label
       FROM (${undelivered('ASC')} UNION ${undelivered('DESC')}) undelivered
      WHERE $1 IN (amount_cents, amount_cents + interest_cents + iva_cents)
      ORDER BY incremental_id DESC LIMIT ${MAX_HITS}`,
    [cents],
  );
}

/** SQL: the wholesaler's id of an order that was refused. */
const REFUSED_ORDER = `fold_key(ids ->> 'wholesalerTransactionId')`;

/**
 * Confirmations have no index by store and time: it would cost each order a write. An order is confirmed
 * within 24 hours of its creation, or a little later if the loop that expires it was late. So a page of the
 * newest confirmations is among one page of the newest confirmed orders and the orders of the two days
 * before the last of them. OFFSET 0 looks them up one by one: the planner does not know that they are few.
 */
const CONFIRMATIONS = `
  SELECT confirmed.approved_at, 'order.confirmed', confirmed.id::text, confirmed.wholesaler_id,
         confirmed.id, '{}'::jsonb
    FROM credit_entries e CROSS JOIN LATERAL (
      SELECT t.id, t.wholesaler_id, v.approved_at
        FROM verifications v JOIN transactions t ON t.id = v.transaction_id
       WHERE v.transaction_id = e.transaction_id OFFSET 0) confirmed
   WHERE e.corner_store_id = $1 AND e.kind = 'hold' AND confirmed.approved_at IS NOT NULL
     AND e.created_at <= ${TIMELINE_END}
     AND e.created_at >= coalesce(
       (SELECT hold.created_at FROM credit_entries hold JOIN verifications v USING (transaction_id)
         WHERE hold.corner_store_id = $1 AND hold.kind = 'hold'
           AND hold.created_at < ${TIMELINE_END} AND v.approved_at < ${TIMELINE_END}
         ORDER BY hold.created_at DESC OFFSET $6::bigint - 1 LIMIT 1),
       '-infinity') - interval '2 days'`;

/** Orders, their outcome, and the credit that they use. */
const PARTS = [
  // Every order begins with its hold, which keeps the amount that was ordered.
  `SELECT e.created_at AS at, 'order.created' AS type, t.id::text AS id, t.wholesaler_id,
          t.id AS subject_id,
          jsonb_strip_nulls(jsonb_build_object(
            'incrementalID', t.incremental_id, 'wholesalerTransactionId', t.wholesaler_transaction_id,
            'totalAmount', round(e.amount_cents / 100.0, 2), 'status', t.status, 'byLink', t.linked,
            'codeStatus', v.status, 'codeSends', v.sends, 'codeChecks', v.checks,
            'codeExpiresAt', v.expires_at)) AS details
     FROM credit_entries e JOIN transactions t ON t.id = e.transaction_id
     LEFT JOIN verifications v ON v.transaction_id = t.id
    WHERE e.corner_store_id = $1 AND e.kind = 'hold'`,
  CONFIRMATIONS,
  `SELECT t.delivered_at, 'order.delivered', t.id::text, t.wholesaler_id, t.id,
          jsonb_build_object('totalAmount', round(t.amount_cents / 100.0, 2))
     FROM transactions t WHERE t.corner_store_id = $1 AND t.delivered_at IS NOT NULL`,
  `SELECT e.created_at,
          CASE e.kind WHEN 'release' THEN 'order.' || t.status
                      WHEN 'adjustment' THEN 'credit.adjusted'
                      WHEN 'repayment' THEN 'credit.repaid' WHEN 'credit' THEN 'credit.credited'
                      ELSE 'credit.reversed' END,
          e.id::text, t.wholesaler_id, t.id,
          jsonb_build_object('creditUsed', round(e.amount_cents / 100.0, 2))
     FROM credit_entries e JOIN transactions t ON t.id = e.transaction_id
    WHERE e.corner_store_id = $1 AND e.kind <> 'hold'`,
  `SELECT n.created_at, 'order.credited', n.id::text, t.wholesaler_id, t.id,
          jsonb_build_object('reason', n.reason, 'totalAmount', round(n.principal_cents / 100.0, 2))
     FROM credit_notes n JOIN transactions t ON t.id = n.transaction_id
    WHERE n.corner_store_id = $1`,
  REFUSALS_OF_STORE,
];
