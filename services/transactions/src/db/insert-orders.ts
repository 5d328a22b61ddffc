import { columnOf } from '@fiado/chassis/db/query';
import { OUTBOX_COLUMNS, OUTBOX_RECORD } from '@fiado/chassis/outbox/append';
import type { NewOrder } from '../domain/order';

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
