import { Client } from 'pg';
import type { Database } from '../db/database';

interface Sent {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/**
 * The pages of 8 kB that the SELECTs of a request read, each run once more as the owner. The number is
 * of the plan and not of the machine.
 * @param schema in which the statements find their tables
 */
export async function pagesRead(
  { db, ownerUrl, schema }: { db: Database; ownerUrl: string; schema: string },
  request: () => Promise<unknown>,
): Promise<number> {
  const statements = await selectsOf(db, request);
  const owner = new Client({ connectionString: ownerUrl, options: `-c search_path=${schema}` });
  await owner.connect();
  try {
    let pages = 0;
    for (const { text, values } of statements) {
      const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
        values,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return pages;
  } finally {
    await owner.end();
  }
}

async function selectsOf(db: Database, request: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const send = db.connection.query.bind(db.connection);
  const remember = (text: unknown, values: unknown = []): void => {
    if (typeof text === 'string' && /^\s*SELECT\b/i.test(text)) {
      sent.push({ text, values: values as unknown[] });
    }
  };
  db.connection.query = ((...given: [unknown, unknown]) => {
    remember(...given);
    return Reflect.apply(send, undefined, given) as unknown;
  }) as typeof send;
  try {
    await request();
  } finally {
    // The pool's own method again.
    Reflect.deleteProperty(db.connection, 'query');
  }
  return sent;
}
