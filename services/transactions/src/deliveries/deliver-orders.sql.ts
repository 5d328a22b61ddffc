import type { StoredAnswer } from '@fiado/chassis/idempotency';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import {
  GIVEN_ANSWERS,
  insertAnswersOf,
  insertJobsOf,
  KEY_IS_FREE,
  orderStatement,
} from '../orders/order-statement.sql';
import type { WrittenDelivery } from './decide-delivery.rules';

/** An order to deliver, with what is written with it. */
export interface OrderToDeliver extends WrittenDelivery {
  locationSealed: Buffer | undefined;
  /** Each gets the time of the delivery as its `deliveredAt`. */
  jobs: OutboxRow[];
  /** The answer to store for its Idempotency-Key. */
  answer: StoredAnswer | undefined;
}

/**
 * `delivered`: the debt is booked. `changed`: the order is not what was read, or its day is over.
 * `no-credit`: the higher amount does not fit its line. In the last two nothing is written.
 */
export type DeliveryOutcome = 'delivered' | 'changed' | 'no-credit';

/** The jobs of parameter $2, with the time of the row `transactions.delivered_at`, in milliseconds. */
const DATED_JOBS = `(
    SELECT jsonb_agg(jsonb_set(job, '{data,deliveredAt}', to_jsonb(
             to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
      FROM jsonb_array_elements($2::jsonb) job)`;

/** CTEs that write the orders of the CTE `delivered`. */
const WRITE_DELIVERED = `
line AS (
  UPDATE credit_lines SET used_cents = used_cents + "differenceCents"
    FROM delivered WHERE corner_store_id = "cornerStoreId" AND "differenceCents" <> 0
),
entry AS (
  INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents)
  SELECT "cornerStoreId", id, 'adjustment', "differenceCents" FROM delivered
   WHERE "differenceCents" <> 0
),
moved AS (
  UPDATE transactions
     SET status = 'delivery', version = transactions.version + 1, ordered_cents = amount_cents,
         amount_cents = "amountCents", owed_cents = "amountCents",
         interest_cents = "interestCents", iva_cents = "ivaCents", delivered_at = now(),
         location_sealed = decode("locationSealed", 'base64'), payment_due_at = "paymentDueAt",
         payment_due_on = "paymentDueOn", payment_time_zone = "paymentTimeZone",
         delivery_proof = proof
    FROM delivered WHERE transactions.id = delivered.id
),
voided AS (
  UPDATE commissions SET voided_at = now()
    FROM delivered WHERE transaction_id = delivered.id AND voided_at IS NULL
  RETURNING transaction_id
),
commission AS (
  -- The join makes each live row void before its successor is written.
  INSERT INTO commissions (transaction_id, rate, amount_cents)
  SELECT delivered.id, "commissionRate", "commissionCents"
    FROM delivered LEFT JOIN voided ON voided.transaction_id = delivered.id
),
${insertJobsOf('delivered', DATED_JOBS)},
${insertAnswersOf('delivered')}`;

/**
 * The statement that delivers orders.
 * @param waits whether an order waits for locks of others. Without, what is locked is left out.
 */
function deliverStatement({ waits }: { waits: boolean }): string {
  const lock = `FOR NO KEY UPDATE${waits ? '' : ' SKIP LOCKED'}`;
  return `
WITH asked AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS asked(
    id uuid, "cornerStoreId" uuid, version integer, "amountCents" bigint, "differenceCents" bigint,
    "interestCents" bigint, "ivaCents" bigint, "commissionCents" bigint, "commissionRate" numeric,
    "paymentDueOn" date, "paymentDueAt" timestamptz, "paymentTimeZone" text,
    "dayEndsAt" timestamptz, "locationSealed" text, proof text)
),${GIVEN_ANSWERS},
-- The order's row first, then its line: the same order of locks everywhere.
order_locked AS MATERIALIZED (
  SELECT locked.*
    FROM (SELECT asked.id FROM asked LEFT JOIN given ON given."orderId" = asked.id
           WHERE ${waits ? 'true' : KEY_IS_FREE} ORDER BY asked.id) free,
         -- Each order is looked up by itself, also where the plan was made on a new table.
         LATERAL (
           SELECT id, version, status FROM transactions
            WHERE id = free.id ${lock}) locked
),
line_locked AS MATERIALIZED (
  -- A delivery of the ordered amount leaves its line as it is.
  SELECT corner_store_id, status = 'approved' AND NOT overdue AS may_buy,
         limit_cents - used_cents AS free_cents
    FROM credit_lines
   WHERE corner_store_id = ANY (ARRAY(SELECT "cornerStoreId" FROM asked JOIN order_locked USING (id)
                                       WHERE "differenceCents" <> 0))
   ORDER BY corner_store_id ${lock}
),
decided AS MATERIALIZED (
  SELECT asked.*, CASE
           WHEN status <> 'on-hold' OR order_locked.version <> asked.version
                OR now() > "dayEndsAt" THEN 'changed'
           WHEN order_locked.id IS NULL THEN ${waits ? `'changed'` : `'not-locked'`}
           WHEN "differenceCents" = 0 THEN 'delivered'
           WHEN may_buy IS NULL THEN 'not-locked'
           WHEN "differenceCents" > 0 AND NOT (may_buy AND "differenceCents" <= free_cents)
             THEN 'no-credit'
           ELSE 'delivered' END AS outcome
    FROM asked LEFT JOIN order_locked USING (id)
    LEFT JOIN line_locked ON corner_store_id = "cornerStoreId"
),
delivered AS (
  SELECT * FROM decided WHERE outcome = 'delivered'
),
${WRITE_DELIVERED}
SELECT id, outcome FROM decided`;
}

/**
 * Delivers orders. Orders of one corner store are not delivered in the same statement if their amounts changed,
 * because each would check the credit line alone. An order whose line or Idempotency-Key another database transaction
 * has is not locked.
 */
export const deliverOrders = orderStatement<OrderToDeliver, DeliveryOutcome>(
  'deliver',
  deliverStatement,
  ({ jobs, answer, locationSealed, ...order }) => {
    const row = { ...order, locationSealed: locationSealed?.toString('base64') };
    return { id: order.id, row, jobs, answer };
  },
);
