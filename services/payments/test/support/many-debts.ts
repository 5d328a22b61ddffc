import { asOwner } from '@fiado/chassis/testing/as-owner';
import type { PaymentsService } from './service';

/** A session in which rows are written as they are, without triggers. */
const session = (ownerUrl: string) => ({
  connectionString: ownerUrl,
  options: '-c search_path=payments -c session_replication_role=replica',
});

/**
 * Writes debts of one store by SQL, one an hour until now. Most were paid after a week. Of a hundred debts
 * one was paid in part and is owed, one was paid in two parts after 50 and 100 days, and one was credited 30
 * days after its payment.
 */
export async function writeManyDebts(
  { ownerUrl }: PaymentsService,
  { cornerStoreId, userId }: { cornerStoreId: string; userId: string },
  count: number,
): Promise<void> {
  await asOwner(session(ownerUrl), async (owner) => {
    await owner.query(DEBTS, [count, cornerStoreId, userId]);
    await owner.query('VACUUM (ANALYZE) receivables, receivable_entries');
  });
}

/** Writes by SQL that nothing was paid of the newest debts of a store. */
export async function oweNewestDebts(
  { ownerUrl }: PaymentsService,
  { cornerStoreId }: { cornerStoreId: string },
  count: number,
): Promise<void> {
  await asOwner(session(ownerUrl), async (owner) => {
    await owner.query(NOTHING_PAID, [cornerStoreId, count]);
    await owner.query('VACUUM (ANALYZE) receivables, receivable_entries');
  });
}

const NOTHING_PAID = `
  WITH owed AS (
    UPDATE receivables
       SET version = 1, paid_at = NULL, paid_principal_cents = 0, credited_principal_cents = 0
     WHERE id IN (SELECT id FROM receivables WHERE corner_store_id = $1
                   ORDER BY opened_at DESC LIMIT $2)
    RETURNING id
  )
  DELETE FROM receivable_entries WHERE version > 1 AND receivable_id IN (SELECT id FROM owed)`;

/**
 * Writes a user's past by SQL: paid debts, half of them by a deposit of their own and half by the credit
 * balance, and as many changes of the balance by other deposits.
 */
export async function writePaidDebts(
  payments: PaymentsService,
  user: { cornerStoreId: string; userId: string },
  count: number,
): Promise<void> {
  await writeManyDebts(payments, user, count);
  await asOwner(session(payments.ownerUrl), async (owner) => {
    const ofUser = [user.userId];
    await owner.query('DELETE FROM receivables WHERE user_id = $1 AND paid_at IS NULL', ofUser);
    await owner.query(ALLOCATIONS, ofUser);
    await owner.query('VACUUM (ANALYZE) receivables, allocations');
  });
  await writeBalanceEntries(payments, user, count);
}

/** Writes changes of a user's credit balance by SQL, one an hour until now, of versions that it never reaches. */
export async function writeBalanceEntries(
  { ownerUrl }: PaymentsService,
  { userId }: { userId: string },
  count: number,
): Promise<void> {
  await asOwner(session(ownerUrl), async (owner) => {
    await owner.query(BALANCE_ENTRIES, [userId, count]);
    await owner.query('VACUUM (ANALYZE) credit_balance_entries');
  });
}

const ALLOCATIONS = `
  INSERT INTO allocations
    (id, deposit_id, receivable_id, principal_cents, interest_cents, iva_cents, created_at)
  SELECT e.allocation_id, CASE WHEN r.id_factura::bigint % 2 = 0 THEN gen_random_uuid() END, r.id, -e.principal_cents, 0, 0, e.created_at
    FROM receivables r JOIN receivable_entries e ON e.receivable_id = r.id AND e.cause = 'payment'
   WHERE r.user_id = $1`;

const BALANCE_ENTRIES = `
  INSERT INTO credit_balance_entries (user_id, version, cause, cents, deposit_id, created_at)
  SELECT $1::uuid, -n, 'surplus', CASE WHEN n % 2 = 0 THEN 100 ELSE -100 END, gen_random_uuid(),
         now() - make_interval(hours => n)
    FROM generate_series(1, $2::int) n`;

const DEBTS = `
  WITH debt AS MATERIALIZED (
    SELECT n, gen_random_uuid() AS id, now() - make_interval(hours => $1::int - n) AS opened_at
      FROM generate_series(1, $1::int) n
  ),
  entry AS MATERIALIZED (
    SELECT debt.id, version, cause, cents, opened_at + make_interval(days => days) AS created_at
      FROM debt JOIN (VALUES
             ('paid', 2, 7, 'payment', -100),
             ('partly', 2, 8, 'payment', -50),
             ('late', 2, 50, 'payment', -50), ('late', 3, 100, 'payment', -50),
             ('credited', 2, 7, 'payment', -100), ('credited', 3, 37, 'credit', -10),
             ('credited', 4, 37, 'reversal', 10)) AS step (kind, version, days, cause, cents)
        ON kind = coalesce((ARRAY['partly', 'late', 'credited'])[n % 100], 'paid')
     WHERE opened_at + make_interval(days => days) <= now()
  ),
  owner AS (
    INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia)
    VALUES ($3::uuid, $2::uuid, left($3::text, 10))
  ),
  stored AS (
    INSERT INTO receivables
      (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
       principal_cents, interest_cents, iva_cents, credited_principal_cents, paid_principal_cents,
       due_at, version, opened_at, paid_at)
    SELECT id, gen_random_uuid(), gen_random_uuid(), $2::uuid, $3::uuid, 'tienda',
           lpad((n + last.number)::text, 13, '0'), 100, 0, 0, coalesce(credited, 0), coalesce(paid, 0),
           opened_at + interval '14 days', 1 + coalesce(entries, 0), opened_at,
           CASE WHEN credited + paid = 100 THEN paid_at END
      FROM debt CROSS JOIN (
        SELECT coalesce(max(id_factura), '0')::bigint AS number FROM receivables) last
      LEFT JOIN (
        SELECT id, count(*) AS entries, max(created_at) FILTER (WHERE cause = 'payment') AS paid_at,
               coalesce(-sum(cents) FILTER (WHERE cause = 'credit'), 0) AS credited,
               coalesce(-sum(cents) FILTER (WHERE cause <> 'credit'), 0) AS paid
          FROM entry GROUP BY id) sums USING (id)
  )
  INSERT INTO receivable_entries
    (receivable_id, version, cause, allocation_id, credit_note_id, principal_cents, interest_cents,
     iva_cents, created_at)
  SELECT id, 1, 'opened', NULL, NULL, 100, 0, 0, opened_at FROM debt
  UNION ALL
  SELECT id, version, cause, CASE WHEN cause <> 'credit' THEN gen_random_uuid() END,
         CASE WHEN cause = 'credit' THEN gen_random_uuid() END, cents, 0, 0, created_at FROM entry`;
