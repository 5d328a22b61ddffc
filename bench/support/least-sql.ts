import type { BenchDatabase } from './database';
import type { SqlScript } from './pgbench';

/** About as long as the sealed message of a code, and as the JSON of an order line. */
const MESSAGE = 'A'.repeat(220);
const PRODUCT = '{"name":"Refresco de cola 600 ml","quantity":12,"externalSKU":"SKU-1"}';
const AMOUNT_CENTS = 15_000;
/** No store reaches it in a run. */
const LIMIT_CENTS = 1_000_000_000_000;

/**
 * The least SQL that an order needs: the credit line is held, and an order, a product line, a code, a
 * ledger entry and a message are written, each as one row with the columns that it cannot be without.
 * No foreign keys, no other index than the primary keys, no checks, no idempotency.
 * @param stores how many credit lines there are
 */
export async function leastSql(
  db: BenchDatabase,
  database: string,
  stores: number,
): Promise<SqlScript> {
  await db.query(database, tables(stores));
  return {
    name: 'least',
    text: `\\set store random(1, ${stores})\n${STATEMENT}`,
    countWritten: 'SELECT count(*)::int AS written FROM bench_least.orders',
  };
}

function tables(stores: number): string {
  return `
    CREATE SCHEMA bench_least;
    CREATE TABLE bench_least.credit_lines
      (store int PRIMARY KEY, limit_cents bigint NOT NULL, held_cents bigint NOT NULL);
    CREATE TABLE bench_least.orders
      (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, store int NOT NULL,
       amount_cents bigint NOT NULL, status text NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE bench_least.products
      (order_id bigint NOT NULL, position int NOT NULL, product jsonb NOT NULL,
       PRIMARY KEY (order_id, position));
    CREATE TABLE bench_least.codes
      (order_id bigint PRIMARY KEY, hash bytea NOT NULL, expires_at timestamptz NOT NULL);
    CREATE TABLE bench_least.ledger
      (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL,
       amount_cents bigint NOT NULL);
    CREATE TABLE bench_least.messages
      (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL,
       sealed text NOT NULL);
    INSERT INTO bench_least.credit_lines
      SELECT n, ${LIMIT_CENTS}, 0 FROM generate_series(1, ${stores}) AS n;
    GRANT USAGE ON SCHEMA bench_least TO PUBLIC;
    GRANT ALL ON ALL TABLES IN SCHEMA bench_least TO PUBLIC;
  `;
}

const STATEMENT = `
WITH hold AS (
  UPDATE bench_least.credit_lines SET held_cents = held_cents + ${AMOUNT_CENTS}
   WHERE store = :store AND held_cents + ${AMOUNT_CENTS} <= limit_cents RETURNING store
), placed AS (
  INSERT INTO bench_least.orders (store, amount_cents, status)
  SELECT store, ${AMOUNT_CENTS}, 'pending' FROM hold RETURNING id
), product AS (
  INSERT INTO bench_least.products SELECT id, 0, '${PRODUCT.replaceAll(':', ': ')}' FROM placed
), code AS (
  INSERT INTO bench_least.codes SELECT id, '\\x${'cd'.repeat(32)}', now() FROM placed
), entry AS (
  INSERT INTO bench_least.ledger (order_id, amount_cents) SELECT id, ${AMOUNT_CENTS} FROM placed
)
INSERT INTO bench_least.messages (order_id, sealed) SELECT id, '${MESSAGE}' FROM placed;
`;
