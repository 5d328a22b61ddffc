import type { PoolClient } from 'pg';
import type { Database } from '../db/database';
import { asOwner } from './as-owner';

interface Sent {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/**
 * The pages of 8 kB that the SELECTs, UPDATEs and DELETEs of a request read and write, each run once more as the
 * owner and rolled back. The number is of the plan and not of the machine.
 * @param schema in which the statements find their tables
 */
export async function pagesRead(
  { db, ownerUrl, schema }: { db: Database; ownerUrl: string; schema: string },
  request: () => Promise<unknown>,
): Promise<number> {
  const statements = await statementsOf(db, request);
  const session = { connectionString: ownerUrl, options: `-c search_path=${schema}` };
  return asOwner(session, async (owner) => {
    let pages = 0;
    for (const { text, values } of statements) {
      await owner.query('BEGIN');
      const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
        values,
      );
      await owner.query('ROLLBACK');
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return pages;
  });
}

/** What a request sends, outside database transactions and in them. */
async function statementsOf(db: Database, request: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const pool = db.connection;
  const restore: Array<() => void> = [];
  const recorded = new Set<object>();
  const record = (connection: Pick<PoolClient, 'query'>): void => {
    if (recorded.has(connection)) return;
    recorded.add(connection);
    const { query } = connection;
    const send = query.bind(connection);
    connection.query = ((...given: [unknown, unknown]) => {
      const { text, values } = statementOf(...given);
      if (/^\s*(SELECT|UPDATE|DELETE)\b/i.test(text)) sent.push({ text, values });
      return Reflect.apply(send, undefined, given) as unknown;
    }) as typeof send;
    restore.push(() => (connection.query = query));
  };
  const connect = pool.connect.bind(pool);
  pool.connect = (async (...given: []) => {
    // The pool's own query comes with a callback, and is recorded as such.
    if (given.length > 0) return Reflect.apply(connect, undefined, given) as unknown;
    const connection = await connect();
    record(connection);
    return connection;
  }) as typeof connect;
  restore.push(() => Reflect.deleteProperty(pool, 'connect'));
  record(pool);
  try {
    await request();
  } finally {
    for (const undo of restore) undo();
  }
  return sent;
}

/** Of the two ways to call query: with a text, or with a named statement. */
function statementOf(statement: unknown, values: unknown = []): Sent {
  if (typeof statement === 'string') return { text: statement, values: values as unknown[] };
  return statement as Sent;
}
