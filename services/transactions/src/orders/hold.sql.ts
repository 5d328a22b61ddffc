import type { Db } from '@fiado/chassis/db/database';
import { columnOf, isUniqueViolation, queryNamed } from '@fiado/chassis/db/query';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import type { NewOrder } from './order.rules';

/** Fields of a new order that its row in `transactions` has: columns of the same names in snake case. */
const ROW_FIELDS = {
  id: 'uuid',
  incrementalId: 'bigint',
  wholesalerId: 'uuid',
  wholesalerTransactionId: 'text',
  cornerStoreId: 'uuid',
  userId: 'uuid',
  status: 'text',
  amountCents: 'bigint',
  interestCents: 'bigint',
  ivaCents: 'bigint',
  interestRate: 'numeric',
  ivaRate: 'numeric',
  commissionRate: 'numeric',
  movementDate: 'timestamptz',
  deliveryDate: 'timestamptz',
  paymentTermDays: 'smallint',
  deliveryOverageRate: 'numeric',
  paymentTimeZone: 'text',
  paymentDueOn: 'date',
  paymentDueAt: 'timestamptz',
  expiresAt: 'timestamptz',
  linked: 'boolean',
  driverId: 'text',
  metadata: 'text',
};

/** The compiler refuses a field of a new order that is missing here. */
const FIELDS: Record<keyof NewOrder, string> = {
  ...ROW_FIELDS,
  commissionCents: 'bigint',
  products: 'jsonb',
  verificationId: 'uuid',
  verificationStatus: 'text',
  codeSalt: 'text',
  codeSends: 'integer',
  codeExpiresAt: 'timestamptz',
  wordSealed: 'text',
  phoneChanges: 'integer',
};

const columns = Object.keys(ROW_FIELDS).map(columnOf);

const values = Object.keys(ROW_FIELDS).map((field) =>
  // A text in the record: jsonb would change the order of its fields, and its numbers.
  field === 'metadata' ? 'metadata::json' : `"${field}"`,
);

const record = Object.entries(FIELDS).map(([field, type]) => `"${field}" ${type}`);

/** The new orders of parameter $1, the JSON of a NewOrder[], as a table. */
export const NEW_ORDERS = `jsonb_to_recordset($1::jsonb) AS new_order(${record.join(', ')})`;

/**
 * CTEs that write the orders of the CTE `held`, whose credit the statement holds, and the jobs of
 * parameter $2. Without a held order they write nothing.
 */
export const INSERT_HELD = `
created AS (
  -- Its trigger writes the event transaction.created, where the wholesaler wants events.
  INSERT INTO transactions (${columns.join(', ')})
  SELECT ${values.join(', ')} FROM held
   -- In one order for all batches: two with the same order ids wait for each other's rows at the
   -- unique index, and must not do so in a ring.
   ORDER BY "wholesalerTransactionId"
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
job AS (
  -- A message or an event leaves if, and only if, this statement commits.
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT job.* FROM jsonb_to_recordset($2::jsonb) AS job(${OUTBOX_RECORD})
   WHERE EXISTS (SELECT FROM held)
)`;

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
  -- A duplicate request with the same Idempotency-Key fails here, and takes its hold back.
  INSERT INTO idempotency_keys (id, request_hash, status, body, canonical_hash)
  SELECT $8::bytea, $9::bytea, $10::integer, $11::text, $12::bytea FROM held WHERE $8::bytea IS NOT NULL
)
SELECT EXISTS (SELECT FROM held) AS "isHeld", EXISTS (SELECT FROM duplicate) AS "isDuplicate"`;
