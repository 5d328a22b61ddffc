import type { BenchDatabase } from './database';
import type { Market } from './market';

/** Orders of one statement: bounds memory, and allows progress on the terminal. */
const CHUNK = 250_000;
/** Orders are spread over so many days: 50,000 a day are 20 million. */
const DAYS = 400;
/** The part of the orders, the newest, that has all its rows: the last 20 days. */
const COMPLETE_PART = 0.05;
/** The tables that are filled. */
const FILLED = [
  'transactions.transactions',
  'transactions.product_lines',
  'transactions.credit_entries',
  'transactions.verifications',
  'transactions.delivery_words',
  'transactions.commissions',
  'payments.receivables',
  'payments.receivable_entries',
  'payments.deposits',
  'payments.allocations',
  'payments.payment_defaults',
  'notifier.messages',
  'notifier.message_attempts',
];

interface Fill {
  market: Market;
  orders: number;
  say: (line: string) => void;
}

/**
 * Fills transactions, payments and the messages with the orders of 400 days: those of the last day
 * are on hold, those of 13 days delivered and not due, the older ones paid, but for some that are in
 * default, cancelled or expired. Those of the last 20 days have a product line, a verification, a word, a
 * commission, a message and, once paid, a deposit; older ones have their order, credit entries and
 * receivable only, so that 20 million take 36 GB. Sums of credit lines are right, and `fiado
 * verify` misses the rows that are left out.
 *
 * The tables have to be empty. They are truncated in the transaction that fills them: with `wal_level =
 * minimal` Postgres then logs none of their rows. Their indexes, those of constraints too, are built when
 * all rows are there.
 */
export async function fillOrders(
  db: BenchDatabase,
  database: string,
  { market, orders, say }: Fill,
): Promise<void> {
  await db.query(database, BALANCES);
  await db.write(database, async (run) => {
    // All rows that refer to each other are inserted here, so triggers and foreign keys have no work.
    await run('SET LOCAL session_replication_role = replica');
    await run(`SET LOCAL work_mem = '256MB'`);
    await run(`TRUNCATE ${FILLED.join()} CASCADE`);
    await run(WITHOUT_INDEXES, [FILLED]);
    for (let first = 0; first < orders; first += CHUNK) {
      const last = Math.min(first + CHUNK, orders) - 1;
      await run(ORDERS, [
        first,
        last,
        market.wholesalerId,
        orders,
        DAYS,
        orders * (1 - COMPLETE_PART),
      ]);
      if ((last + 1) % 1_000_000 === 0) say(`  ${(last + 1) / 1_000_000} million orders`);
    }
    await run(USED);
  });
  // Before the indexes: reading a new row for the first time writes its page, and so does a vacuum.
  await db.query(database, 'VACUUM');
  say('  vacuumed');
  for (const table of FILLED) {
    await db.write(database, async (run) => {
      await run(`SET LOCAL maintenance_work_mem = '2GB'`);
      await run(`REINDEX TABLE ${table}`);
    });
    say(`  indexes of ${table}`);
  }
  await db.query(database, 'ANALYZE');
  await db.query(database, 'CHECKPOINT');
}

/** Inserts leave these indexes alone, and no plan uses them, until REINDEX builds them. */
const WITHOUT_INDEXES = `
  UPDATE pg_index SET indisready = false, indisvalid = false
   WHERE indrelid = ANY ($1::text[]::regclass[])`;

const BALANCES = `
  INSERT INTO payments.credit_balances (user_id, corner_store_id, numero_referencia)
  SELECT user_id, corner_store_id, lpad((number + 500000000000)::text, 12, '0')
    FROM transactions.bench_stores ON CONFLICT DO NOTHING`;

const ORDERS = `
  WITH wanted AS MATERIALIZED (
    SELECT n, made_at, uuidv7(made_at - now()) AS id, uuidv7(made_at - now()) AS receivable_id,
           uuidv7(made_at - now()) AS deposit_id, uuidv7(made_at - now()) AS allocation_id,
           store.corner_store_id, store.user_id, store.number, amount,
           round(amount * 0.05)::bigint AS interest, round(amount * 0.008)::bigint AS iva,
           n >= $6::bigint AS complete,
           CASE WHEN made_at > now() - interval '1 day' THEN 'on-hold'
                WHEN made_at > now() - interval '13 days' THEN 'delivery'
                WHEN n % 200 = 0 THEN 'in-payment-default'
                WHEN n % 200 = 1 THEN 'cancelled'
                WHEN n % 200 = 2 THEN 'expired'
                ELSE 'paid' END AS status
      FROM generate_series($1::bigint, $2::bigint) AS n
      CROSS JOIN LATERAL (
        SELECT 15000 + (n % 50) * 1050 AS amount,
               now() - make_interval(days => $5::int) * (1 - n / $4::float8) AS made_at) made
      JOIN transactions.bench_stores store
        ON store.number = n * 7919 % (SELECT count(*) FROM transactions.bench_stores)
  ),
  made AS (
    INSERT INTO transactions.transactions
      (id, incremental_id, wholesaler_id, wholesaler_transaction_id, corner_store_id, user_id,
       status, amount_cents, interest_cents, iva_cents, interest_rate, iva_rate, commission_rate,
       movement_date, payment_due_at, delivered_at, metadata, created_at, updated_at, expires_at,
       paid, paid_at, owed_cents)
    SELECT id, nextval('transactions.incremental_ids'), $3::uuid, 'pedido-' || n, corner_store_id,
           user_id, status, amount, interest, iva, 0.05, 0.16, 0.02, made_at,
           made_at + interval '14 days',
           CASE WHEN status IN ('delivery', 'in-payment-default', 'paid') THEN made_at END,
           '{"route":"ruta-1","priority":1}', made_at, made_at, made_at + interval '30 days',
           status = 'paid', CASE WHEN status = 'paid' THEN made_at + interval '7 days' END,
           CASE WHEN status IN ('delivery', 'in-payment-default') THEN amount ELSE 0 END
      FROM wanted ORDER BY n
  ),
  entry AS (
    INSERT INTO transactions.credit_entries
      (id, corner_store_id, transaction_id, kind, amount_cents, cause_id, created_at)
    SELECT uuidv7(made_at - now()), corner_store_id, wanted.id, kind, sign * amount,
           CASE WHEN kind = 'repayment' THEN allocation_id END, made_at
      FROM wanted CROSS JOIN LATERAL (
        VALUES ('hold', 1), (CASE status WHEN 'paid' THEN 'repayment' ELSE 'release' END, -1)
      ) AS change (kind, sign)
     WHERE sign = 1 OR status IN ('paid', 'cancelled', 'expired')
  ),
  product AS (
    INSERT INTO transactions.product_lines
      (transaction_id, position, external_sku, name, quantity, created_at)
    SELECT id, 0, 'REF-1', 'Refresco de cola 600 ml', 24, made_at FROM wanted WHERE complete
  ),
  verification AS (
    INSERT INTO transactions.verifications
      (id, transaction_id, status, code_salt, checks, sends, expires_at, approved_at, created_at)
    SELECT uuidv7(made_at - now()), id, 'approved', uuid_send(id), 1, 1,
           made_at + interval '10 minutes', made_at, made_at FROM wanted WHERE complete
  ),
  word AS (
    INSERT INTO transactions.delivery_words (transaction_id, word_sealed, sends)
    SELECT id, uuid_send(id) || uuid_send(id) || uuid_send(id), 1 FROM wanted WHERE complete
  ),
  commission AS (
    INSERT INTO transactions.commissions (id, transaction_id, rate, amount_cents, created_at)
    SELECT uuidv7(made_at - now()), id, 0.02, round(amount * 0.02), made_at FROM wanted WHERE complete
  ),
  receivable AS (
    INSERT INTO payments.receivables
      (id, transaction_id, wholesaler_id, corner_store_id, user_id, external_id, id_factura,
       principal_cents, interest_cents, iva_cents, paid_principal_cents, paid_interest_cents,
       paid_iva_cents, due_at, version, paid_at, opened_at, in_default)
    SELECT receivable_id, id, $3::uuid, corner_store_id, user_id, 'tienda-' || number,
           lpad(n::text, 13, '0'), amount, interest, iva, amount * paid, interest * paid, iva * paid,
           made_at + interval '14 days', 1 + paid,
           CASE WHEN paid = 1 THEN made_at + interval '7 days' END, made_at,
           status = 'in-payment-default'
      FROM (SELECT *, (status = 'paid')::int AS paid FROM wanted) AS debts
     WHERE status IN ('delivery', 'in-payment-default', 'paid')
  ),
  defaulted AS (
    INSERT INTO payments.payment_defaults
      (id, receivable_id, wholesaler_id, corner_store_id, user_id, external_id, amount_cents, as_of,
       opened_at)
    SELECT receivable_id, receivable_id, $3::uuid, corner_store_id, user_id, 'tienda-' || number,
           amount + interest + iva, made_at + interval '15 days', made_at + interval '15 days'
      FROM wanted WHERE status = 'in-payment-default'
  ),
  opened AS (
    INSERT INTO payments.receivable_entries
      (receivable_id, version, cause, allocation_id, principal_cents, interest_cents, iva_cents,
       created_at)
    SELECT receivable_id, v, CASE v WHEN 1 THEN 'opened' ELSE 'payment' END,
           CASE v WHEN 2 THEN allocation_id END, sign * amount, sign * interest, sign * iva, made_at
      FROM wanted CROSS JOIN (VALUES (1, 1), (2, -1)) AS version (v, sign)
     WHERE complete AND (v = 1 AND status IN ('delivery', 'in-payment-default') OR status = 'paid')
  ),
  deposit AS (
    INSERT INTO payments.deposits
      (id, payment_provider_id, provider_name, id_factura, numero_referencia, valor_cents,
       fecha_pago, paid_at, clave_de_pago, body_hash, body, status, user_id, received_at)
    SELECT deposit_id, '00000000-0000-4000-8000-000000000001', 'Pagos', lpad(n::text, 13, '0'),
           lpad((number + 500000000000)::text, 12, '0'), amount + interest + iva,
           '2026-01-01 00:00:00.000', made_at + interval '7 days', deposit_id, uuid_send(deposit_id),
           '{}', 'applied', user_id, made_at + interval '7 days'
      FROM wanted WHERE complete AND status = 'paid'
  ),
  allocation AS (
    INSERT INTO payments.allocations
      (id, deposit_id, receivable_id, principal_cents, interest_cents, iva_cents, created_at)
    SELECT allocation_id, deposit_id, receivable_id, amount, interest, iva,
           made_at + interval '7 days'
      FROM wanted WHERE complete AND status = 'paid'
  ),
  message AS (
    INSERT INTO notifier.messages
      (id, template, wholesaler_id, subject_id, phone_index, phone_masked, status, provider,
       provider_sid, attempts, next_attempt_at, expires_at, sent_at, created_at, updated_at,
       attempted_at)
    SELECT deposit_id, 'delivery-word', $3::uuid, id, sha256(uuid_send(corner_store_id)), '***0000',
           CASE WHEN n % 100 = 0 THEN 'unknown' ELSE 'delivered' END, 'twilio',
           'SM' || replace(id::text, '-', ''), 1, made_at, made_at + interval '1 day', made_at,
           made_at, made_at, made_at
      FROM wanted WHERE complete
  )
  INSERT INTO notifier.message_attempts
    (message_id, number, started_at, finished_at, outcome, http_status)
  SELECT deposit_id, 1, made_at, made_at, 'sent', 201 FROM wanted WHERE complete`;

const USED = `
  UPDATE transactions.credit_lines line SET used_cents = sums.used
    FROM (SELECT corner_store_id, sum(amount_cents) AS used
            FROM transactions.credit_entries GROUP BY corner_store_id) sums
   WHERE line.corner_store_id = sums.corner_store_id`;
