import { Client } from 'pg';
import type { PaymentsService } from './service';

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
  const owner = new Client({
    connectionString: ownerUrl,
    options: '-c search_path=payments -c session_replication_role=replica',
  });
  await owner.connect();
  try {
    await owner.query(DEBTS, [count, cornerStoreId, userId]);
    await owner.query('VACUUM (ANALYZE) receivables, receivable_entries');
  } finally {
    await owner.end();
  }
}

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
  stored AS (
    INSERT INTO receivables
      (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
       principal_cents, interest_cents, iva_cents, credited_principal_cents, paid_principal_cents,
       due_at, version, opened_at, paid_at)
    SELECT id, gen_random_uuid(), gen_random_uuid(), $2::uuid, $3::uuid, 'tienda',
           lpad(n::text, 13, '0'), 100, 0, 0, coalesce(credited, 0), coalesce(paid, 0),
           opened_at + interval '14 days', 1 + coalesce(entries, 0), opened_at,
           CASE WHEN credited + paid = 100 THEN paid_at END
      FROM debt LEFT JOIN (
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
