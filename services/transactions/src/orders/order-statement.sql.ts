import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { StoredAnswer } from '@fiado/chassis/idempotency';
import { NOT_LOCKED } from '@fiado/chassis/lanes/lane';
import { OUTBOX_COLUMNS, OUTBOX_RECORD, type OutboxRow } from '@fiado/chassis/outbox/append';

// A statement for many orders also writes the jobs of each (parameter $2) and its stored answer (parameter $3). Both
// are JSON arrays.

/** Elements of parameter $2: jobs, each of which is sent if its order is written. */
export function jobsOf(orderId: string, jobs: OutboxRow[]): object[] {
  return jobs.map((job) => ({ ...job, orderId }));
}

/** Elements of parameter $3: the answer to store for the Idempotency-Key of an order, if it has one. */
function answersOf(orderId: string, answer: StoredAnswer | undefined): object[] {
  if (answer === undefined) return [];
  return [
    {
      orderId,
      id: answer.id.toString('base64'),
      requestHash: answer.requestHash.toString('base64'),
      status: answer.status,
      body: answer.body,
    },
  ];
}

/** CTE `given`: the answers of parameter $3. */
export const GIVEN_ANSWERS = `
given AS MATERIALIZED (
  SELECT "orderId", decode(id, 'base64') AS id, decode("requestHash", 'base64') AS request_hash,
         status, body
    FROM jsonb_to_recordset($3::jsonb)
      AS given("orderId" uuid, id text, "requestHash" text, status integer, body text)
)`;

/**
 * SQL condition on a row of an order that is left joined with `given`: no other database transaction
 * has its Idempotency-Key, and no answer is stored for it. A repeated request fails at its stored
 * answer. It does so alone, and not with the batch.
 */
export const KEY_IS_FREE = `NOT EXISTS (SELECT FROM idempotency_keys stored WHERE stored.id = given.id OFFSET 0)
     AND CASE WHEN given.id IS NULL THEN true
              ELSE pg_try_advisory_xact_lock(hashtextextended(encode(given.id, 'hex'), 0)) END`;

/**
 * CTE that writes the jobs of the orders of that CTE.
 * @param jobs SQL of all jobs
 */
export function insertJobsOf(orders: string, jobs = '$2::jsonb'): string {
  return `job AS (
  -- A message or an event leaves if, and only if, this statement commits.
  INSERT INTO outbox (${OUTBOX_COLUMNS})
  SELECT ${OUTBOX_COLUMNS} FROM jsonb_to_recordset(${jobs}) AS job("orderId" uuid, ${OUTBOX_RECORD})
   WHERE "orderId" IN (SELECT id FROM ${orders})
)`;
}

/** CTE that stores the answers of the orders of that CTE. */
export function insertAnswersOf(orders: string): string {
  return `answer AS (
  -- A duplicate request with the same Idempotency-Key fails here, and takes its order back with it.
  INSERT INTO idempotency_keys (id, request_hash, status, body)
  SELECT given.id, request_hash, given.status, body
    FROM given JOIN ${orders} written ON written.id = given."orderId"
)`;
}

/** An order of a statement for many orders, with what is written with it. */
interface OrderToWrite {
  id: string;
  /** Its element of the JSON array that is parameter $1 of the statement. */
  row: object;
  jobs: OutboxRow[];
  answer: StoredAnswer | undefined;
}

/** A statement that writes orders, each of them all or nothing. */
export interface OrderStatement<Order, Outcome> {
  /**
   * Waits for no lock: an order that another database transaction has locked, or its Idempotency-Key, is left out.
   * @returns an outcome for each order, in their order
   */
  many: (db: Db, orders: Order[]) => Promise<Array<Outcome | typeof NOT_LOCKED>>;
  /** Waits for the locks of its order. */
  one: (db: Db, order: Order) => Promise<Outcome>;
}

/**
 * Both variants of a statement that answers the id and the outcome of each order.
 * @param statement its SQL; `waits`: whether an order waits for locks of others
 */
export function orderStatement<Order, Outcome extends string>(
  name: string,
  statement: (options: { waits: boolean }) => string,
  toWrite: (order: Order) => OrderToWrite,
): OrderStatement<Order, Outcome> {
  const write = async (db: Db, as: string, sql: string, orders: OrderToWrite[]) => {
    const rows = await queryNamed<{ id: string; outcome: Outcome | 'not-locked' }>(db, as, sql, [
      JSON.stringify(orders.map(({ row }) => row)),
      JSON.stringify(orders.flatMap(({ id, jobs }) => jobsOf(id, jobs))),
      JSON.stringify(orders.flatMap(({ id, answer }) => answersOf(id, answer))),
    ]);
    const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
    return orders.map(({ id }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined || outcome === 'not-locked' ? NOT_LOCKED : outcome;
    });
  };
  const [ofMany, ofOne] = [statement({ waits: false }), statement({ waits: true })];
  return {
    many: (db, orders) => write(db, `${name}-orders`, ofMany, orders.map(toWrite)),
    one: async (db, order) => {
      const [outcome] = await write(db, `${name}-order`, ofOne, [toWrite(order)]);
      if (outcome === undefined || outcome === NOT_LOCKED) {
        throw new Error('An order was not locked');
      }
      return outcome;
    },
  };
}
