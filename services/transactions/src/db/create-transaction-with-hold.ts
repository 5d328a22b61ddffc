import type { DataSource } from 'typeorm';
import type { KeptAnswer } from '@fiado/shared/chassis/idempotency';
import { isUniqueViolation, queryNamed } from '@fiado/shared/chassis/db/query';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/shared/chassis/outbox/append';
import { AppError } from '@fiado/shared/contracts/errors';
import { jsonTextOf } from '@fiado/shared/json-text';
import type { NewTransaction } from '../domain/new-transaction';

/** What is written beside the transaction, in the same statement. */
export interface Companions {
  /** Sealed delivery word, when the order is on hold at once and words are on. */
  wordSealed: Buffer | undefined;
  jobs: OutboxRow[];
  answer: KeptAnswer | undefined;
}

/**
 * Holds the credit and writes the order: createTransaction's one statement, one round trip, all or
 * nothing.
 * @returns false when the line cannot carry it (any more): nothing was written
 * @throws AppError DUPLICATED_TRANSACTION when the wholesaler has a live order of that id
 */
export async function createTransactionWithHold(
  db: DataSource,
  order: NewTransaction,
  { wordSealed, jobs, answer }: Companions,
): Promise<boolean> {
  try {
    const [outcome] = await queryNamed<{ id: string | null; isDuplicate: boolean }>(
      db,
      'create-transaction-with-hold',
      CREATE_TRANSACTION_WITH_HOLD,
      [
        order.cornerStoreId,
        order.amountCents,
        order.interestRate,
        order.id,
        order.incrementalId,
        order.wholesalerId,
        order.wholesalerTransactionId ?? null,
        order.userId,
        order.status,
        order.interestCents,
        order.ivaCents,
        order.ivaRate,
        order.commissionRate,
        order.movementDate,
        order.deliveryDate ?? null,
        order.paymentDueAt,
        order.metadata === undefined ? null : jsonTextOf(order.metadata),
        JSON.stringify(order.products),
        order.verification.id,
        order.verification.status,
        order.verification.codeSalt,
        order.verification.sends,
        order.verification.expiresAt,
        wordSealed ?? null,
        order.commissionCents,
        JSON.stringify(jobs),
        answer?.id ?? null,
        answer?.requestHash ?? null,
        answer?.status ?? null,
        answer?.body ?? null,
        order.expiresAt,
        order.linked,
        order.phoneChanges,
      ],
    );
    if (outcome?.isDuplicate === true) throw new AppError('DUPLICATED_TRANSACTION');
    return typeof outcome?.id === 'string';
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
   WHERE wholesaler_id = $6::uuid AND wholesaler_transaction_id = $7::text
     AND status NOT IN ('cancelled', 'expired')
),
line AS (
  -- The guard and the hold are one: a row that another order is changing is waited for, and the
  -- conditions are looked at again on what it left.
  UPDATE credit_lines SET used_cents = used_cents + $2::bigint
   WHERE corner_store_id = $1
     AND status = 'approved' AND NOT overdue
     AND used_cents + $2::bigint <= limit_cents
     -- The order was priced with this rate.
     AND interest_rate = $3::numeric
     AND NOT EXISTS (SELECT FROM duplicate)
  RETURNING corner_store_id
),
-- Every part below reads from the hold: no hold, nothing is written.
created AS (
  INSERT INTO transactions
    (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id, status,
     amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
     movement_date, delivery_date, payment_due_at, metadata, expires_at, linked)
  SELECT $4::uuid, $5::bigint, $6::uuid, $7::text, corner_store_id, $8::uuid, $9::text,
         $2::bigint, $10::bigint, $11::bigint, $3::numeric, $12::numeric, $13::numeric,
         $14::timestamptz, $15::timestamptz, $16::timestamptz, $17::json, $31::timestamptz,
         $32::boolean
    FROM line
  RETURNING id, corner_store_id
),
entry AS (
  -- The ledger's row of the hold: the entries of a line sum up to used_cents, always.
  INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents)
  SELECT corner_store_id, id, 'hold', $2::bigint FROM created
),
commission AS (
  INSERT INTO commissions (transaction_id, rate, amount_cents)
  SELECT id, $13::numeric, $25::bigint FROM created
),
products AS (
  INSERT INTO product_lines (transaction_id, position, external_sku, name, quantity)
  SELECT created.id, product.position, product."externalSKU", product.name, product.quantity
    FROM created, jsonb_to_recordset($18::jsonb)
      AS product(position integer, "externalSKU" text, name text, quantity numeric)
),
verification AS (
  INSERT INTO verifications
    (id, transaction_id, status, code_salt, sends, expires_at, phone_changes, approved_at)
  SELECT $19::uuid, id, $20::text, $21::bytea, $22::integer, $23::timestamptz,
         $33::integer,
         CASE WHEN $20::text = 'approved' THEN now() END
    FROM created
),
word AS (
  INSERT INTO delivery_words (transaction_id, word_sealed, sends, phone_changes)
  SELECT id, $24::bytea, 1, $33::integer FROM created WHERE $24::bytea IS NOT NULL
),
job AS (
  -- The SMS leaves if, and only if, this statement commits.
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT job.* FROM created, jsonb_to_recordset($26::jsonb) AS job(${OUTBOX_RECORD})
),
answer AS (
  -- A twin with the same Idempotency-Key fails here, and takes its hold back with it.
  INSERT INTO idempotency_keys (id, request_hash, status, body)
  SELECT $27::bytea, $28::bytea, $29::integer, $30::text FROM created WHERE $27::bytea IS NOT NULL
)
SELECT (SELECT id FROM created) AS id, EXISTS (SELECT FROM duplicate) AS "isDuplicate"`;
