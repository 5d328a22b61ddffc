import { Redis } from 'ioredis';
import type { BenchDatabase } from './database';

/** What Postgres and Redis have done so far. */
export interface WorkDone {
  walBytes: number;
  /** Times that Postgres waited for the disk to have the write-ahead log. */
  walSyncs: number;
  commits: number;
  /** Absent where the queues are in Postgres. */
  redisCommands?: number;
}

const OF_POSTGRES = `
  SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS "walBytes",
         (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS "walSyncs",
         (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = $1) AS commits`;

export async function workDone(
  db: BenchDatabase,
  database: string,
  redisUrl: string | undefined,
): Promise<WorkDone> {
  const [row] = await db.query<WorkDone>('postgres', OF_POSTGRES, [database]);
  if (row === undefined) throw new Error('Postgres has no statistics');
  if (redisUrl === undefined) return row;
  const redis = new Redis(redisUrl);
  const stats = await redis.info('stats');
  redis.disconnect();
  const redisCommands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
  return { ...row, redisCommands };
}

/** The work between two moments, for each of so many orders, with a word for each figure. */
export function workOfOrder(
  before: WorkDone,
  after: WorkDone,
  orders: number,
): Array<{ what: string; value: number; unit: string }> {
  const each = (field: keyof WorkDone): number =>
    ((after[field] ?? Number.NaN) - (before[field] ?? Number.NaN)) / orders;
  return [
    { what: 'write-ahead log', value: each('walBytes'), unit: 'bytes' },
    { what: 'syncs of it', value: each('walSyncs'), unit: '' },
    { what: 'commits', value: each('commits'), unit: '' },
    { what: 'commands of Redis', value: each('redisCommands'), unit: '' },
  ].filter(({ value }) => !Number.isNaN(value));
}
