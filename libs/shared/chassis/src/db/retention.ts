import type { Logger } from '../logger';
import { guardRow, Loop } from '../loop';
import type { Database } from './database';
import { query } from './query';

const LOOP = 'retention';
/** How often old rows are deleted. Nothing depends on their deletion. */
const LOOK_MS = 60_000;
/**
 * Rows of one table that one statement deletes: some 20 ms, far below the 5 s that a statement may
 * take. A backlog goes batch after batch, without a pause.
 */
export const DELETE_BATCH_SIZE = 500;

/** A table of every schema that grows with the work. Its time column has an index. */
export interface GrowingTable {
  name: string;
  key: string;
  /** When a row was finished; null while it is still needed. */
  endedAt: string;
  keepHours: number;
}

const TABLES: GrowingTable[] = [
  // For people who look into the database. Dead letters stay until they are done.
  { name: 'outbox', key: 'id', endedAt: 'done_at', keepHours: 24 },
  // 30 days: far longer than a queue could deliver a job again.
  { name: 'inbox', key: 'message_id', endedAt: 'received_at', keepHours: 30 * 24 },
  // How long an answer is replayed for its Idempotency-Key.
  { name: 'idempotency_keys', key: 'id', endedAt: 'created_at', keepHours: 24 },
];

/** Tables of the schemas whose service keeps refusals, for 30 days. */
export const REFUSAL_TABLES: GrowingTable[] = [
  { name: 'refusals', key: 'id', endedAt: 'refused_at', keepHours: 30 * 24 },
  // Its key has two columns.
  { name: 'refusal_counts', key: 'ctid', endedAt: 'day', keepHours: 30 * 24 },
];

/**
 * Deletes old rows of the tables that every schema has, in a loop of its own.
 * @param more tables of this schema
 */
export function createRetention(db: Database, log: Logger, more: GrowingTable[] = []): Loop {
  return new Loop(log, {
    name: LOOP,
    everyMs: LOOK_MS,
    round: async () => {
      let isFull = false;
      for (const table of [...TABLES, ...more]) {
        await guardRow(LOOP, { log, table: table.name }, async () => {
          if ((await deleteBatch(db, table)) === DELETE_BATCH_SIZE) isFull = true;
        });
      }
      return isFull;
    },
  });
}

async function deleteBatch(
  db: Database,
  { name, key, endedAt, keepHours }: GrowingTable,
): Promise<number> {
  const deleted = await query(
    db,
    `DELETE FROM ${name} WHERE ${key} IN (
       SELECT ${key} FROM ${name}
        WHERE ${endedAt} < now() - make_interval(hours => $1)
        ORDER BY ${endedAt} LIMIT $2
        -- Several instances of a service delete side by side.
        FOR UPDATE SKIP LOCKED)
     RETURNING 1`,
    [keepHours, DELETE_BATCH_SIZE],
  );
  return deleted.length;
}
