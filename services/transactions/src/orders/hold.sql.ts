import { rowsWithKey } from '@fiado/chassis/db/folded-keys';
import { isUniqueViolation } from '@fiado/chassis/db/errors';
import { columnOf, oneByOne } from '@fiado/chassis/db/query';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { type NewOrder, NEW_ORDER_TYPES, ORDER_KEY, ROW_TYPES } from './order.rules';
import {
  GIVEN_ANSWERS,
  insertAnswersOf,
  insertJobsOf,
  KEY_IS_FREE,
  orderStatement,
} from './order-statement.sql';

const columns = Object.keys(ROW_TYPES).map(columnOf);

const values = Object.keys(ROW_TYPES).map((field) =>
  // A text in the record: jsonb would change the order of its fields, and its numbers.
  field === 'metadata' ? 'metadata::json' : `"${field}"`,
);

const record = Object.entries(NEW_ORDER_TYPES).map(([field, type]) => `"${field}" ${type}`);

/** The new orders of parameter $1, the JSON of a NewOrder[], as a table. */
export const NEW_ORDERS = `jsonb_to_recordset($1::jsonb) AS new_order(${record.join(', ')})`;

/**
 * CTEs that write the orders of the CTE `held`, whose credit the statement holds, and their
 * jobs of parameter $2. Without a held order they write nothing.
 */
export const INSERT_HELD = `
created AS (
  -- Its trigger writes the event transaction.created, where the wholesaler wants events.
  INSERT INTO transactions (${columns.join(', ')})
  SELECT ${values.join(', ')} FROM held
   -- In one order for all batches: two with the same order ids wait for each other's rows at the
   -- unique index, and must not do so in a ring.
   ORDER BY fold_key("wholesalerTransactionId")
),
entry AS (
  -- The ledger's row of the hold: the sum of the entries of a line is its used_cents, always.
  INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents)
  SELECT "cornerStoreId", id, 'hold', "amountCents" FROM held
),
commission AS (
  INSERT INTO commissions (transaction_id, rate, amount_cents)
  SELECT id, "commissionRate", "commissionCents" FROM held
),
product_line AS (
  INSERT INTO product_lines (transaction_id, position, external_sku, name, quantity)
  SELECT held.id, product.position, product."externalSKU", product.name, product.quantity
    FROM held, jsonb_to_recordset(held.products)
      AS product(position integer, "externalSKU" text, name text, quantity numeric)
),
verification AS (
  INSERT INTO verifications
    (id, transaction_id, status, code_salt, sends, expires_at, phone_changes, approved_at)
  SELECT "verificationId", id, "verificationStatus", decode("codeSalt", 'base64'), "codeSends",
         "codeExpiresAt", "phoneChanges", CASE WHEN "verificationStatus" = 'approved' THEN now() END
    FROM held WHERE "verificationId" IS NOT NULL
),
word AS (
  INSERT INTO delivery_words (transaction_id, word_sealed, sends, phone_changes)
  SELECT id, decode("wordSealed", 'base64'), 1, "phoneChanges" FROM held
   WHERE "wordSealed" IS NOT NULL
),
${insertJobsOf('held')}`;

/** Whether a statement failed because the wholesaler has a live order of that id. */
export function isOrderIdTaken(error: unknown): boolean {
  return ['transactions_live_order', ORDER_KEY.index].some((index) =>
    isUniqueViolation(error, index),
  );
}

/** SQL of the advisory lock of an order id of a wholesaler, however it is spelled. */
export function orderIdLock(wholesalerId: string, orderId: string): string {
  return `hashtextextended(${wholesalerId}::text || ' ' || fold_key(${orderId}), 0)`;
}

/** An order to write, with what leaves with it if its credit is held. */
export interface OrderToHold {
  order: NewOrder;
  jobs: OutboxRow[];
  /** The answer to store for its Idempotency-Key. */
  answer: StoredAnswer | undefined;
}

/**
 * `held`: the order is written. `no-credit`: the line has not enough credit, or its terms changed.
 * `duplicate`: the wholesaler has a live order of that id. In the last two nothing is written.
 */
export type HoldOutcome = 'held' | 'duplicate' | 'no-credit';

/**
 * CTEs of the orders whose order id, Idempotency-Key and line no other database transaction has. Two
 * instances with the same order id or key would wait for each other at the unique index, and with
 * them all orders of the batch.
 */
const LOCKED = `
taken AS MATERIALIZED (
  SELECT asked.id, asked."cornerStoreId"
    FROM asked LEFT JOIN given ON given."orderId" = asked.id
   WHERE ${KEY_IS_FREE}
     AND CASE WHEN "wholesalerTransactionId" IS NULL THEN true
              ELSE pg_try_advisory_xact_lock(${orderIdLock('"wholesalerId"', '"wholesalerTransactionId"')}) END
),
line_locked AS MATERIALIZED (
  -- In the order of their ids, as everywhere, and without waiting for anybody.
  SELECT corner_store_id FROM credit_lines
   WHERE corner_store_id = ANY (ARRAY(SELECT "cornerStoreId" FROM taken))
   ORDER BY corner_store_id
     FOR NO KEY UPDATE SKIP LOCKED
),
locked AS (
  SELECT taken.id FROM taken JOIN line_locked ON line_locked.corner_store_id = taken."cornerStoreId"
),`;

/**
 * The statement that holds orders. Exported for the bench, which has pgbench run the very statement.
 * @param waits whether an order waits for locks of others. Without, what is locked is left out.
 */
export function holdStatement({ waits }: { waits: boolean }): string {
  return `
WITH asked AS MATERIALIZED (
  SELECT * FROM ${NEW_ORDERS}
),
${GIVEN_ANSWERS},
duplicate AS (
  -- Looked for before the line is locked. Who changes an order locks its row and then its line: an
  -- insert that waited at the unique index for such a change, with the line locked, would deadlock.
  SELECT asked.id FROM asked
   -- OFFSET 0: each order is looked up by itself. A join that was planned while the table was small
   -- would read all of it.
   WHERE EXISTS (SELECT FROM (${rowsWithKey(ORDER_KEY, '1', {
     of: ['asked."wholesalerId"'],
     asked: 'asked."wholesalerTransactionId"',
   })}) live OFFSET 0)
),${waits ? '' : LOCKED}
line AS (
  -- The guard and the hold are one: the conditions are looked at again on what another order left.
  UPDATE credit_lines line SET used_cents = line.used_cents + asked."amountCents"
    FROM asked${waits ? '' : ' JOIN locked ON locked.id = asked.id'}
   WHERE line.corner_store_id = asked."cornerStoreId" AND ${oneByOne('asked."cornerStoreId"')}
     AND line.status = 'approved' AND NOT line.overdue
     AND line.used_cents + asked."amountCents" <= line.limit_cents
     -- The order was priced with this rate.
     AND line.interest_rate = asked."interestRate"
     AND NOT EXISTS (SELECT FROM duplicate WHERE duplicate.id = asked.id)
  RETURNING asked.id
),
-- All inserts read from the held orders: no hold, nothing is written.
held AS (
  SELECT asked.* FROM asked JOIN line ON line.id = asked.id
),${INSERT_HELD},
${insertAnswersOf('held')}
SELECT asked.id, CASE
         WHEN line.id IS NOT NULL THEN 'held'
         WHEN EXISTS (SELECT FROM duplicate WHERE duplicate.id = asked.id) THEN 'duplicate'
         ${waits ? '' : `WHEN asked.id NOT IN (SELECT id FROM locked) THEN 'not-locked'`}
         ELSE 'no-credit' END AS outcome
  FROM asked LEFT JOIN line ON line.id = asked.id`;
}

/**
 * Holds the credit of orders and writes them. Orders of one statement are of different corner stores. One whose line,
 * order id or Idempotency-Key another database transaction has is not locked.
 */
export const holdOrders = orderStatement<OrderToHold, HoldOutcome>(
  'hold',
  holdStatement,
  ({ order, jobs, answer }) => ({ id: order.id, row: order, jobs, answer }),
);
