import type { BenchDatabase } from './database';
import type { Market } from './market';

/** Rows of one database transaction: bounds memory. */
const CHUNK = 50_000;
/** Connections that fill at a time. */
const AT_ONCE = 2;
/** Every such store has orders that it never paid, about one in a hundred. */
export const DEBTOR_EVERY = 20;

/** The tables that are filled. Indexes that no constraint needs are made afterwards, which is faster. */
const FILLED = `'transactions.transactions', 'transactions.credit_entries', 'transactions.commissions',
  'transactions.product_lines', 'transactions.verifications', 'payments.receivables',
  'payments.receivable_entries', 'payments.allocations', 'payments.deposits', 'notifier.messages',
  'notifier.message_attempts'`;

/** Which transactions are stored. */
interface Seed {
  market: Market;
  /** Transaction n, from `from` to below `to`, is called `pedido-<n>`. */
  from: number;
  to: number;
  /** Whether all are on hold, of the last 29 days. Otherwise they are of a year. */
  onHold?: boolean;
  /** From this one on a transaction has all its rows; without it, all of them. */
  completeFrom?: number;
  say: (line: string) => void;
}

/**
 * Stores a year of transactions with all that the product keeps of them, in all services, so that
 * `fiado verify` finds nothing: most are delivered and paid by a deposit of their own. Those of the
 * last day are on hold, most of the last two weeks are owed, some of 20 stores in a hundred are
 * overdue (which payments finds at its start), and one in fifty was cancelled or expired. An order
 * has two product lines; messages are those of the last 90 days. One that is not complete has its order,
 * credit entries and receivable only: 20 million of those take 36 GB.
 */
export async function seedHistory(
  db: BenchDatabase,
  database: string,
  { market, from, to, onHold = false, completeFrom = 0, say }: Seed,
): Promise<void> {
  const days = onHold ? 29 : 365;
  for (const name of ['fsync', 'full_page_writes']) {
    await db.query(database, `ALTER SYSTEM SET ${name} = off`);
  }
  await db.query(database, 'SELECT pg_reload_conf()');
  await db.query(database, LUHN);
  if (!onHold) await db.write(database, (run) => run(BALANCES));
  const indexes = await db.query<{ name: string; definition: string }>(database, INDEXES);
  for (const { name } of indexes) await db.query(database, `DROP INDEX ${name}`);

  const chunks = Array.from(
    { length: Math.ceil((to - from) / CHUNK) },
    (_, at) => from + at * CHUNK,
  ).values();
  let stored = from;
  const fill = async () => {
    for (const first of chunks) {
      const last = Math.min(first + CHUNK, to) - 1;
      await db.write(database, async (run) => {
        // All rows that refer to each other are made here, so foreign keys need no check.
        await run('SET LOCAL session_replication_role = replica');
        await run(MADE, [first, last, market.wholesalerId, from, to, onHold, days, completeFrom]);
        for (const statement of ROWS) await run(statement);
      });
      stored += last + 1 - first;
      if (stored % (5 * CHUNK) === 0) say(`  ${stored} transactions`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fill));
  for (const { definition } of indexes) await db.query(database, definition);
  await db.write(database, (run) => run(USE));
  for (const name of ['fsync', 'full_page_writes']) {
    await db.query(database, `ALTER SYSTEM RESET ${name}`);
  }
  await db.query(database, 'SELECT pg_reload_conf()');
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

/** The Luhn digit of a number. */
const LUHN = `
  CREATE OR REPLACE FUNCTION public.with_luhn(digits text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT digits || (10 - sum(CASE WHEN doubled > 9 THEN doubled - 9 ELSE doubled END) % 10) % 10
      FROM generate_series(1, length(digits)) AS place,
           LATERAL (SELECT substr(digits, place, 1)::int
                           * CASE (length(digits) - place) % 2 WHEN 0 THEN 2 ELSE 1 END AS doubled) one $$`;

/** As the first delivery of each user makes it. */
const BALANCES = `
  INSERT INTO payments.credit_balances (user_id, corner_store_id, numero_referencia)
  SELECT user_id, corner_store_id, public.with_luhn((10000000000 + number)::text)
    FROM transactions.bench_stores ON CONFLICT DO NOTHING`;

const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index
   WHERE indrelid = ANY (ARRAY[${FILLED}]::regclass[])
     AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/** The orders of a chunk, with the ids of all rows about them. */
const MADE = `
  CREATE TEMP TABLE made ON COMMIT DROP AS
  SELECT n, n >= $8::int AS complete, $3::uuid AS wholesaler_id, store.corner_store_id, store.user_id, customer.external_id,
         balance.numero_referencia, amount, round(amount * 0.05) AS interest,
         round(round(amount * 0.05) * 0.16) AS iva, made_at, status, delivered_at, due_on,
         (due_on + 1)::timestamp AT TIME ZONE 'America/Mexico_City' - interval '1 ms' AS due_at,
         least(delivered_at + interval '5 days', now()) AS paid_at,
         status IN ('delivery', 'paid') AS delivered, status = 'paid' AS paid,
         uuidv7(made_at - clock_timestamp()) AS id,
         uuidv7(delivered_at - clock_timestamp()) AS receivable_id,
         uuidv7(least(delivered_at + interval '5 days', now()) - clock_timestamp()) AS deposit_id,
         uuidv7(least(delivered_at + interval '5 days', now()) - clock_timestamp()) AS allocation_id,
         uuidv7(made_at - clock_timestamp()) AS message_id,
         public.with_luhn((100000000000 + n)::text) AS id_factura
    FROM generate_series($1::int, $2::int) AS n
    JOIN transactions.bench_stores store
      ON store.number = n % (SELECT count(*) FROM transactions.bench_stores)
    JOIN transactions.customers customer
      ON customer.corner_store_id = store.corner_store_id AND customer.wholesaler_id = $3
    LEFT JOIN payments.credit_balances balance ON balance.user_id = store.user_id
    -- Until an hour ago: an order that was confirmed after its wholesaler came would have a word.
    CROSS JOIN LATERAL (SELECT 15000 + (n % 50) * 1050 AS amount,
                               now() - interval '1 hour' - make_interval(days => $7::int) * (1 - (n - $4::int) / ($5::int - $4)::numeric) AS made_at) a
    CROSS JOIN LATERAL (
      SELECT CASE WHEN $6::boolean THEN 'on-hold' WHEN n % 100 = 7 THEN 'cancelled'
                  WHEN n % 100 = 8 THEN 'expired' WHEN made_at > now() - interval '25 hours' THEN 'on-hold'
                  WHEN made_at > now() - interval '14 days' AND n % 10 < 6 THEN 'delivery'
                  WHEN made_at < now() - interval '17 days' AND store.number % ${DEBTOR_EVERY} = ${DEBTOR_EVERY - 1}
                       AND md5(n::text) < '03' THEN 'delivery'
                  ELSE 'paid' END AS status) b
    CROSS JOIN LATERAL (SELECT made_at + interval '1 day' AS delivered_at) c
    CROSS JOIN LATERAL (
      SELECT (CASE WHEN status IN ('delivery', 'paid') THEN delivered_at ELSE made_at END
              AT TIME ZONE 'America/Mexico_City')::date + 14 AS due_on) d`;

const ROWS = [
  `INSERT INTO transactions.transactions
     (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id,
      status, amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
      movement_date, payment_due_at, payment_due_on, payment_time_zone, payment_term_days,
      delivery_overage_rate, delivered_at, paid, owed_cents, receivable_version, metadata,
      created_at, updated_at, expires_at)
   SELECT id, nextval('transactions.incremental_ids'), wholesaler_id, 'pedido-' || n,
          corner_store_id, user_id, status, amount, interest, iva, 0.05, 0.16, 0.02, made_at,
          due_at, due_on, 'America/Mexico_City', 14, 0.10, CASE WHEN delivered THEN delivered_at END,
          paid, CASE status WHEN 'delivery' THEN amount ELSE 0 END,
          CASE WHEN paid THEN 2 WHEN delivered THEN 1 ELSE 0 END,
          '{"route":"ruta-1","priority":1}', made_at, made_at,
          CASE status WHEN 'on-hold' THEN now() ELSE made_at END + interval '30 days'
     FROM made ORDER BY n`,
  `INSERT INTO transactions.credit_entries
     (corner_store_id, transaction_id, kind, amount_cents, cause_id, created_at)
   SELECT corner_store_id, id, 'hold', amount, NULL, made_at FROM made
   UNION ALL
   SELECT corner_store_id, id, CASE WHEN paid THEN 'repayment' ELSE 'release' END, -amount,
          CASE WHEN paid THEN allocation_id END, CASE WHEN paid THEN paid_at ELSE made_at END
     FROM made WHERE paid OR status IN ('cancelled', 'expired')`,
  `INSERT INTO transactions.commissions (transaction_id, rate, amount_cents, created_at, voided_at)
   SELECT id, 0.02, round(amount * 0.02), made_at,
          CASE WHEN status IN ('cancelled', 'expired') THEN made_at END FROM made WHERE complete`,
  `INSERT INTO transactions.product_lines
     (transaction_id, position, external_sku, name, quantity, created_at)
   SELECT id, position, 'REF-' || position, 'Refresco de cola 600 ml', 24, made_at
     FROM made, generate_series(0, 1) AS position WHERE complete`,
  `INSERT INTO transactions.verifications
     (id, transaction_id, status, code_salt, checks, sends, expires_at, approved_at, created_at)
   SELECT uuidv7(), id, 'approved', uuid_send(id), 1, 1, made_at + interval '10 minutes', made_at,
          made_at FROM made WHERE complete`,
  `INSERT INTO payments.receivables
     (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
      principal_cents, interest_cents, iva_cents, paid_principal_cents, paid_interest_cents,
      paid_iva_cents, due_at, due_on, time_zone, version, paid_at, opened_at)
   SELECT receivable_id, id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
          amount, interest, iva, CASE WHEN paid THEN amount ELSE 0 END,
          CASE WHEN paid THEN interest ELSE 0 END, CASE WHEN paid THEN iva ELSE 0 END, due_at,
          due_on, 'America/Mexico_City', CASE WHEN paid THEN 2 ELSE 1 END,
          CASE WHEN paid THEN paid_at END, delivered_at
     FROM made WHERE delivered ORDER BY n`,
  `INSERT INTO payments.receivable_entries
     (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents,
      created_at)
   SELECT receivable_id, 1, 'opened', NULL, amount, interest, iva, delivered_at
     FROM made WHERE delivered AND complete
   UNION ALL
   SELECT receivable_id, 2, 'payment', allocation_id, -amount, -interest, -iva, paid_at
     FROM made WHERE paid AND complete`,
  `INSERT INTO payments.deposits
     (id, payment_provider_id, provider_name, id_factura, numero_referencia, valor_cents,
      fecha_pago, paid_at, clave_de_pago, body_hash, body, status, user_id, received_at)
   SELECT deposit_id, '0198d2c0-3333-7a71-9f0a-3d4f6f7a1c11', 'OXXO Pay', id_factura,
          numero_referencia, cents, fecha, paid_at, clave,
          sha256(convert_to(format('["%s","%s",%s,"%s","%s"]', id_factura, numero_referencia, cents,
                                   fecha, clave), 'UTF8')),
          format('{"idFactura":"%s","numeroReferencia":"%s","valor":%s,"fechaPago":"%s","claveDePago":"%s"}',
                 id_factura, numero_referencia, (cents / 100.0)::numeric(12, 2), fecha, clave),
          'applied', user_id, paid_at
     FROM made CROSS JOIN LATERAL (
       SELECT (amount + interest + iva)::bigint AS cents, 'clave-' || n AS clave,
              to_char(paid_at, 'YYYY-MM-DD HH24:MI:SS.MS') AS fecha) texts
    WHERE paid AND complete ORDER BY n`,
  `INSERT INTO payments.allocations
     (id, deposit_id, receivable_id, principal_cents, interest_cents, iva_cents, created_at)
   SELECT allocation_id, deposit_id, receivable_id, amount, interest, iva, paid_at
     FROM made WHERE paid AND complete ORDER BY n`,
  `INSERT INTO notifier.messages
     (id, template, wholesaler_id, subject_id, phone_index, phone_masked, status, provider,
      provider_sid, attempts, expires_at, sent_at, created_at, attempted_at)
   SELECT message_id, 'order-code', wholesaler_id, id, sha256(uuid_send(user_id)), '***', 'delivered',
          'twilio', 'SM' || md5(n::text), 1, made_at + interval '10 minutes', made_at, made_at,
          made_at
     FROM made WHERE made_at > now() - interval '89 days' AND complete`,
  `INSERT INTO notifier.message_attempts (message_id, number, started_at, finished_at, outcome)
   SELECT message_id, 1, made_at, made_at, 'sent'
     FROM made WHERE made_at > now() - interval '89 days' AND complete`,
];

const USE = `
  UPDATE transactions.credit_lines line SET used_cents = sums.used
    FROM (SELECT corner_store_id, sum(amount_cents) AS used
            FROM transactions.credit_entries GROUP BY corner_store_id) sums
   WHERE line.corner_store_id = sums.corner_store_id`;
