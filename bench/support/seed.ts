import type { BenchDatabase } from './database';
import type { Market } from './market';

/** Rows of one statement: bounds memory, and allows progress on the terminal. */
const CHUNK = 100_000;

/**
 * Stores transactions as createTransaction leaves them behind once they are confirmed: order, three
 * lines, ledger row, commission and verification, spread over the stores and the 29 days until an hour
 * ago. Later ones would need a delivery word, which only the service can seal: verify expects one of each
 * order that was confirmed since its wholesaler is known. The used credit of each line grows by its
 * orders, so that balances reconcile. Order n is called `pedido-<n>`.
 */
export async function seedTransactions(
  db: BenchDatabase,
  database: string,
  { market, from, to }: { market: Market; from: number; to: number },
): Promise<void> {
  for (let first = from; first < to; first += CHUNK) {
    const last = Math.min(first + CHUNK, to) - 1;
    await db.write(database, async (run) => {
      // One statement inserts an order and all rows that refer to it, so foreign keys need no
      // check.
      await run('SET LOCAL session_replication_role = replica');
      await run(ORDERS, [first, last, market.wholesalerId, to]);
    });
  }
  await db.write(database, (run) => run(USE));
  // So that no vacuum and no checkpoint runs during the measurement.
  await db.query(database, 'VACUUM (ANALYZE)');
  await db.query(database, 'CHECKPOINT');
}

/** Numbers the stores, for the seed and for pgbench, whose variables are numbers only. */
export async function numberStores(
  db: BenchDatabase,
  database: string,
  { stores }: Market,
): Promise<void> {
  await db.query(
    database,
    `CREATE TABLE transactions.bench_stores AS
     SELECT number::int - 1 AS number, corner_store_id, user_id
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY
         AS store(corner_store_id, user_id, number)`,
    [stores.map(({ cornerStoreId }) => cornerStoreId), stores.map(({ userId }) => userId)],
  );
  await db.query(database, 'ALTER TABLE transactions.bench_stores ADD PRIMARY KEY (number)');
}

const ORDERS = `
  WITH made AS (
    INSERT INTO transactions.transactions
      (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id,
       status, amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
       movement_date, payment_due_at, metadata, created_at, expires_at)
    SELECT uuidv7(made_at - now()), nextval('transactions.incremental_ids'), $3::uuid,
           'pedido-' || n, store.corner_store_id, store.user_id, 'on-hold', amount, round(amount * 0.05),
           round(round(amount * 0.05) * 0.16), 0.05, 0.16, 0.02, made_at,
           made_at + interval '14 days', '{"route":"ruta-1","priority":1}', made_at,
           now() + interval '30 days'
      FROM generate_series($1::int, $2::int) AS n
      CROSS JOIN LATERAL (SELECT 15000 + (n % 50) * 1050 AS amount,
                                 now() - interval '1 hour' - interval '29 days' * (1 - n / $4::numeric)
                                 AS made_at)
      JOIN transactions.bench_stores store
        ON store.number = n % (SELECT count(*) FROM transactions.bench_stores)
    RETURNING id, corner_store_id, amount_cents, created_at
  ),
  entry AS (
    INSERT INTO transactions.credit_entries
      (corner_store_id, transaction_id, kind, amount_cents, created_at)
    SELECT corner_store_id, id, 'hold', amount_cents, created_at FROM made
  ),
  commission AS (
    INSERT INTO transactions.commissions (transaction_id, rate, amount_cents, created_at)
    SELECT id, 0.02, round(amount_cents * 0.02), created_at FROM made
  ),
  product AS (
    INSERT INTO transactions.product_lines
      (transaction_id, position, external_sku, name, quantity, created_at)
    SELECT id, position, 'REF-' || position, 'Refresco de cola 600 ml', 24, created_at
      FROM made, generate_series(0, 2) AS position
  )
  INSERT INTO transactions.verifications
    (id, transaction_id, status, code_salt, checks, sends, expires_at, approved_at, created_at)
  SELECT uuidv7(), id, 'approved', uuid_send(id), 1, 1,
         created_at + interval '10 minutes', created_at, created_at FROM made`;

const USE = `
  UPDATE transactions.credit_lines line SET used_cents = sums.used
    FROM (SELECT corner_store_id, sum(amount_cents) AS used
            FROM transactions.credit_entries GROUP BY corner_store_id) sums
   WHERE line.corner_store_id = sums.corner_store_id`;
