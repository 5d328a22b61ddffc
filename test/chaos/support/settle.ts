import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosDatabase } from './database';

/**
 * Longest way of a job to its effect: its tries take about a minute, and one that the queue lost is
 * asked for after 30 to 40 s.
 */
const SETTLE_DEADLINE_MS = 110_000;
const POLL_MS = 500;

/** The jobs of all services. */
export const JOBS = `(
  SELECT * FROM accounts.outbox UNION ALL SELECT * FROM transactions.outbox
  UNION ALL SELECT * FROM payments.outbox UNION ALL SELECT * FROM notifier.outbox) AS job`;

/** Jobs whose consumer writes their id down with their effect, and the ids that are written down. */
const CONSUMED = `
  SELECT id, queue, type, created_at FROM ${JOBS}
   WHERE type NOT IN ('corner-store.changed', 'wholesaler.changed', 'issue-invoice')`;
const EFFECTS = `
  SELECT id FROM notifier.messages UNION ALL SELECT message_id FROM accounts.inbox
  UNION ALL SELECT message_id FROM transactions.inbox
  UNION ALL SELECT message_id FROM payments.inbox`;

const WAITING = `
  SELECT 'the ' || type || ' job ' || id || ' has had no effect' AS what
    FROM (${CONSUMED}) AS job WHERE id NOT IN (${EFFECTS})
  UNION ALL
  SELECT 'the message ' || id || ' is ' || status
    FROM notifier.messages WHERE status IN ('pending', 'sending')
  UNION ALL
  SELECT 'the deposit ' || id || ' is not applied' FROM payments.deposits WHERE status = 'received'
  UNION ALL
  SELECT 'the ' || type || ' job ' || id || ' is in no queue'
    FROM ${JOBS} WHERE enqueued_at IS NULL`;

/** Jobs of before a moment that have had no effect. */
const WITHOUT_EFFECT = `
  SELECT id FROM (${CONSUMED}) AS job
   WHERE created_at < to_timestamp($1) AND id NOT IN (${EFFECTS})`;

/** How many jobs that were wanted before a moment (in milliseconds) have had no effect yet. */
export async function countBacklog(database: ChaosDatabase, beforeMs: number): Promise<number> {
  return (await database.query(WITHOUT_EFFECT, [beforeMs / 1_000])).length;
}

/** How many jobs were wanted between two moments (in milliseconds), with or without an effect yet. */
export async function countWanted(
  database: ChaosDatabase,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const wanted = `SELECT id FROM (${CONSUMED}) AS job
     WHERE created_at BETWEEN to_timestamp($1) AND to_timestamp($2)`;
  return (await database.query(wanted, [from / 1_000, to / 1_000])).length;
}

export interface Settled {
  /** How long it took. */
  ms: number;
  /** Unfinished work. */
  violations: string[];
}

/** Waits until every job has had its effect and every message is final. */
export async function settle(database: ChaosDatabase): Promise<Settled> {
  const startedAt = Date.now();
  for (;;) {
    const waiting = await database.query<{ what: string }>(WAITING);
    const ms = Date.now() - startedAt;
    if (waiting.length === 0) return { ms, violations: [] };
    if (ms > SETTLE_DEADLINE_MS) return { ms, violations: waiting.map(({ what }) => what) };
    await sleep(POLL_MS);
  }
}
