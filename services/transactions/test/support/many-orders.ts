import { asOwner } from '@fiado/chassis/testing/as-owner';
import type { CornerStore, TransactionsService } from './transactions';

/** A session in which rows are written as they are, without triggers. */
const session = (ownerUrl: string) => ({
  connectionString: ownerUrl,
  options: '-c search_path=transactions -c session_replication_role=replica',
});

/**
 * Writes orders of one store by SQL, one an hour until four days ago: the newer half is delivered and owed,
 * the older half is paid. Orders are not confirmed in the order of their creation. Each has its hold and its verification, a paid one its repayment.
 */
export async function writeManyOrders(
  { ownerUrl }: TransactionsService,
  { caller, cornerStoreId, userId }: CornerStore,
  count: number,
): Promise<void> {
  await asOwner(session(ownerUrl), async (owner) => {
    await owner.query(ORDERS, [count, caller.id, cornerStoreId, userId]);
    await owner.query('VACUUM (ANALYZE) transactions, credit_entries, verifications');
  });
}

/** Writes a credit note of each paid order of a store by SQL, a week after the order. */
export async function writeManyCreditNotes(
  { ownerUrl }: TransactionsService,
  { cornerStoreId }: CornerStore,
): Promise<void> {
  await asOwner(session(ownerUrl), async (owner) => {
    await owner.query(CREDIT_NOTES, [cornerStoreId]);
    await owner.query('VACUUM (ANALYZE) credit_notes');
  });
}

/** A UUID of version 7 as of `at`. PostgreSQL 15 has no uuidv7(interval). */
const ID_OF_THAT_TIME = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
           || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`;

const ORDERS = `
  WITH made AS MATERIALIZED (
    SELECT n, ${ID_OF_THAT_TIME} AS id, at, n <= $1::int / 2 AS paid
      FROM generate_series(1, $1::int) n
      CROSS JOIN LATERAL (SELECT now() - make_interval(hours => 96 + $1::int - n) AS at) moment
  ),
  stored AS (
    INSERT INTO transactions
      (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id, status,
       amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
       movement_date, payment_due_at, delivered_at, paid, paid_at, owed_cents, created_at, updated_at,
       expires_at)
    SELECT id, nextval('incremental_ids'), $2::uuid, left($3::uuid::text, 8) || '-' || n, $3::uuid, $4::uuid,
           CASE WHEN paid THEN 'paid' ELSE 'delivery' END, 10000, 500, 80, 0.05, 0.16, 0.02, at,
           at + interval '14 days', at + interval '30 hours', paid, CASE WHEN paid THEN at END,
           CASE WHEN paid THEN 0 ELSE 10000 END, at, at, at + interval '30 days'
      FROM made ORDER BY n
  ),
  verified AS (
    INSERT INTO verifications
      (id, transaction_id, status, code_salt, sends, expires_at, approved_at, created_at)
    SELECT uuidv7(), id, 'approved', uuid_send(id), 1, at + interval '10 minutes',
           at + make_interval(hours => n % 3 * 7), at FROM made
  )
  INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents, cause_id, created_at)
  SELECT $3::uuid, id, kind, cents, CASE kind WHEN 'repayment' THEN id END, at
    FROM made CROSS JOIN (VALUES ('hold', 10000), ('repayment', -10000)) AS change (kind, cents)
   WHERE kind = 'hold' OR paid`;

const CREDIT_NOTES = `
  INSERT INTO credit_notes
    (id, transaction_id, corner_store_id, number, principal_cents, interest_cents, iva_cents,
     commission_cents, reason, created_by, created_at)
  SELECT gen_random_uuid(), id, corner_store_id, 1, 100, 5, 1, 2, 'return', 'test', created_at + interval '7 days'
    FROM transactions WHERE corner_store_id = $1 AND paid`;
