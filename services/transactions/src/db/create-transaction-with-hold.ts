import type { Db } from '@fiado/chassis/db/database';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import { isUniqueViolation, queryNamed } from '@fiado/chassis/db/query';
import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import type { NewOrder } from '../domain/order';
import { INSERT_HELD, NEW_ORDERS } from './insert-orders';

/**
 * Holds the credit and writes the order: createTransaction's one statement, one round trip, all or
 * nothing.
 * @returns false if the credit line does not have enough available credit: nothing was written
 * @throws AppError DUPLICATED_TRANSACTION when the wholesaler has a live order of that id
 */
export async function createTransactionWithHold(
  db: Db,
  order: NewOrder,
  { jobs, answer }: { jobs: OutboxRow[]; answer: StoredAnswer | undefined },
): Promise<boolean> {
  try {
    const [outcome] = await queryNamed<{ isHeld: boolean; isDuplicate: boolean }>(
      db,
      'create-transaction-with-hold',
      CREATE_TRANSACTION_WITH_HOLD,
      [
        JSON.stringify([order]),
        JSON.stringify(jobs),
        order.wholesalerId,
        order.wholesalerTransactionId ?? null,
        order.cornerStoreId,
        order.amountCents,
        order.interestRate,
        answer?.id ?? null,
        answer?.requestHash ?? null,
        answer?.status ?? null,
        answer?.body ?? null,
        answer?.canonicalHash ?? null,
      ],
    );
    if (outcome?.isDuplicate === true) throw new AppError('DUPLICATED_TRANSACTION');
    return outcome?.isHeld === true;
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_live_order')) {
      throw new AppError('DUPLICATED_TRANSACTION', { cause: error });
    }
    throw error;
  }
}

/** Exported for the bench, which has pgbench run the very statement. */
export const CREATE_TRANSACTION_WITH_HOLD = `
WITH duplicate AS (
  -- Looked for before the line is locked. Who changes an order locks its row and then its line: an
  -- insert that waited at the unique index for such a change, with the line locked, would deadlock.
  SELECT id FROM transactions
   WHERE wholesaler_id = $3::uuid AND wholesaler_transaction_id = $4::text
     AND status NOT IN ('cancelled', 'expired')
),
line AS (
  -- The guard and the hold are one: a row that another order is changing is waited for, and the
  -- conditions are looked at again on what it left.
  UPDATE credit_lines SET used_cents = used_cents + $6::bigint
   WHERE corner_store_id = $5::uuid
     AND status = 'approved' AND NOT overdue
     AND used_cents + $6::bigint <= limit_cents
     -- The order was priced with this rate.
     AND interest_rate = $7::numeric
     AND NOT EXISTS (SELECT FROM duplicate)
  RETURNING corner_store_id
),
-- All inserts read from the hold: no hold, nothing is written.
held AS (
  SELECT new_order.* FROM line, ${NEW_ORDERS}
),${INSERT_HELD},
answer AS (
  -- A twin with the same Idempotency-Key fails here, and takes its hold back with it.
  INSERT INTO idempotency_keys (id, request_hash, status, body, canonical_hash)
  SELECT $8::bytea, $9::bytea, $10::integer, $11::text, $12::bytea FROM held WHERE $8::bytea IS NOT NULL
)
SELECT EXISTS (SELECT FROM held) AS "isHeld", EXISTS (SELECT FROM duplicate) AS "isDuplicate"`;
