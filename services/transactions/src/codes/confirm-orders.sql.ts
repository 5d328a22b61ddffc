import type { StoredAnswer } from '@fiado/chassis/idempotency';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import {
  GIVEN_ANSWERS,
  insertAnswersOf,
  insertJobsOf,
  KEY_IS_FREE,
  orderStatement,
} from '../orders/order-statement.sql';

/** An order whose code was right, with what is written with it. */
export interface OrderToConfirm {
  id: string;
  wholesalerId: string;
  verificationId: string;
  /** The salt of the code that was right. */
  codeSalt: Buffer;
  /** When the order expires unless it is delivered. */
  expiresAt: Date;
  /** Undefined where words are off. */
  wordSealed: Buffer | undefined;
  /** The number of phone changes when the word is sent. */
  phoneChanges: number;
  jobs: OutboxRow[];
  /** The answer to store for its Idempotency-Key. */
  answer: StoredAnswer | undefined;
}

/**
 * `confirmed`: the order is on hold. `not-pending`: it was confirmed or has ended meanwhile.
 * `may-not-buy`: its store was rejected or is in default. `code-not-valid`: the code has expired or was
 * replaced. In the last three nothing is written.
 */
export type ConfirmOutcome = 'confirmed' | 'not-pending' | 'may-not-buy' | 'code-not-valid';

/** CTEs that write the orders of the CTE `confirmed`. */
const WRITE_CONFIRMED = `
moved AS (
  UPDATE transactions SET status = 'on-hold', version = version + 1, expires_at = "expiresAt"
    FROM confirmed WHERE transactions.id = confirmed.id
),
approved AS (
  UPDATE verifications SET status = 'approved', approved_at = now()
    FROM confirmed WHERE verifications.id = "verificationId"
),
word AS (
  INSERT INTO delivery_words (transaction_id, word_sealed, sends, phone_changes)
  SELECT id, decode("wordSealed", 'base64'), 1, "phoneChanges" FROM confirmed
   WHERE "wordSealed" IS NOT NULL
),
${insertJobsOf('confirmed')},
${insertAnswersOf('confirmed')}`;

/**
 * The statement that confirms orders.
 * @param waits whether an order waits for locks of others. Without, what is locked is left out.
 */
function confirmStatement({ waits }: { waits: boolean }): string {
  const lock = `FOR NO KEY UPDATE${waits ? '' : ' SKIP LOCKED'}`;
  return `
WITH asked AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS asked(
    id uuid, "verificationId" uuid, "codeSalt" text, "expiresAt" timestamptz, "wordSealed" text,
    "phoneChanges" integer)
),${GIVEN_ANSWERS},
-- The order's row first, then its line: the same order of locks everywhere.
order_locked AS MATERIALIZED (
  SELECT locked.*
    FROM (SELECT asked.id FROM asked LEFT JOIN given ON given."orderId" = asked.id
           WHERE ${waits ? 'true' : KEY_IS_FREE} ORDER BY asked.id) free,
         -- Each order is looked up by itself, also where the plan was made on a new table.
         LATERAL (
           SELECT id, corner_store_id, status = 'pending-verification' AS is_pending
             FROM transactions
            WHERE id = free.id ${lock}) locked
),
line_locked AS MATERIALIZED (
  -- The lock waits for a rejection or a default that is being written, and then reads what it left.
  SELECT corner_store_id, status = 'approved' AND NOT overdue AS may_buy
    FROM credit_lines
   WHERE corner_store_id = ANY (ARRAY(SELECT corner_store_id FROM order_locked WHERE is_pending))
   ORDER BY corner_store_id ${lock}
),
verification_locked AS MATERIALIZED (
  SELECT id, code_salt, status = 'pending' AND expires_at > now() AS is_valid
    FROM verifications
   WHERE id = ANY (ARRAY(SELECT "verificationId"
                           FROM asked JOIN order_locked USING (id)
                           JOIN line_locked USING (corner_store_id)
                          WHERE is_pending AND may_buy))
   ORDER BY id ${lock}
),
decided AS MATERIALIZED (
  SELECT asked.*, CASE
           WHEN NOT is_pending THEN 'not-pending'
           WHEN NOT may_buy THEN 'may-not-buy'
           WHEN NOT (is_valid AND code_salt = decode("codeSalt", 'base64')) THEN 'code-not-valid'
           WHEN is_valid THEN 'confirmed'
           ${waits ? `WHEN may_buy THEN 'code-not-valid' ELSE 'not-pending'` : `ELSE 'not-locked'`}
         END AS outcome
    FROM asked LEFT JOIN order_locked USING (id)
    LEFT JOIN line_locked USING (corner_store_id)
    LEFT JOIN verification_locked ON verification_locked.id = "verificationId"
),
confirmed AS (
  SELECT * FROM decided WHERE outcome = 'confirmed'
),
${WRITE_CONFIRMED}
SELECT id, outcome FROM decided`;
}

/** Confirms orders. One whose line, verification or Idempotency-Key another database transaction has is not locked. */
export const confirmOrders = orderStatement<OrderToConfirm, ConfirmOutcome>(
  'confirm',
  confirmStatement,
  ({ jobs, answer, ...order }) => {
    const { id, verificationId, codeSalt, expiresAt, wordSealed, phoneChanges } = order;
    const row = {
      id,
      verificationId,
      codeSalt: codeSalt.toString('base64'),
      expiresAt,
      wordSealed: wordSealed?.toString('base64'),
      phoneChanges,
    };
    return { id, row, jobs, answer };
  },
);
