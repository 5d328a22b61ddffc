import {
  deadRowsCall,
  type RetriedDeadLetter,
  type RetriedDeadLetters,
  type RetryDeadLetters,
  retryDeadLettersCall,
} from '@fiado/contracts/dead-letters';
import type { QueueName } from '@fiado/contracts/define';
import type { Database } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from '../http/endpoint';
import type { JobOutcome, Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { guardRow, Loop } from '../loop';
import { findDeadRows, retryDeadRows } from '../row-jobs/dead-rows';
import type { RowJob } from '../row-jobs/row-job';

const LOOP = 'outbox dead letters';

/**
 * How often dead letters are checked: well within the time for which a queue keeps a finished job.
 */
const LOOK_MS = 60_000;

/** How long a dead letter may still be retried. Its queue keeps it for 7 of these days. */
const LOOK_BACK_DAYS = 35;

/** Rows in one iteration; the next one continues after them. */
const LOOK_BATCH_SIZE = 500;

/**
 * How long a dead letter may be relayed again without naming this one job: shorter than its
 * consumer's inbox remembers it (30 days), so that a job that failed after its effect has no second
 * one.
 */
export const RELAY_AGAIN_DAYS = 28;

interface Parts {
  db: Database;
  queues: Queues;
  log: Logger;
}

export interface DeadRow {
  id: string;
  queue: string;
  /** Whether the consumer's inbox would still know it. */
  isRecent: boolean;
}

type PagedRow = DeadRow & { deadAt: string };

/**
 * Checks the jobs that failed for good. If ops retried one, its row in the sender's outbox becomes
 * pending or done again. If its queue no longer has it (flushed, or after the week for which failed
 * jobs are kept), it is relayed again: the outbox is the record, and the cause may be fixed.
 */
export function createDeadLetterLoop(db: Database, queues: Queues, log: Logger): Loop {
  let last: PagedRow | undefined;
  return new Loop(log, {
    name: LOOP,
    everyMs: LOOK_MS,
    round: async () => {
      const rows = await findDead(db, last);
      for (const row of rows) {
        const names = { jobId: row.id, queue: row.queue };
        await guardRow(LOOP, { log, ...names }, () => settleDeadLetter({ db, queues, log }, row));
      }
      const more = rows.length === LOOK_BATCH_SIZE;
      last = more ? rows.at(-1) : undefined;
      return more;
    },
  });
}

function findDead(db: Database, after: PagedRow | undefined): Promise<PagedRow[]> {
  return query<PagedRow>(
    db,
    // As text, because a Date drops the microseconds, and pages would overlap.
    `SELECT id, queue, dead_at::text AS "deadAt",
            created_at > now() - make_interval(days => $5) AS "isRecent"
       FROM outbox
      WHERE dead_at > now() - make_interval(days => $1) AND done_at IS NULL
        AND ($2::timestamptz IS NULL OR (dead_at, id) > ($2, $3::uuid))
      ORDER BY dead_at, id LIMIT $4`,
    [LOOK_BACK_DAYS, after?.deadAt ?? null, after?.id ?? null, LOOK_BATCH_SIZE, RELAY_AGAIN_DAYS],
  );
}

/**
 * Updates a dead letter from the state of its job: done, pending, or relayed again if its queue no
 * longer has it. It stays dead while its queue has it as failed.
 * @returns the new state of the job; undefined if the row did not change
 */
export async function settleDeadLetter(
  { db, queues, log }: Parts,
  { id, queue, isRecent }: DeadRow,
): Promise<JobOutcome['state'] | undefined> {
  const { state } = await queues.outcomeOf(queue, id);
  const change = changeFor(state, isRecent);
  if (change === undefined) return undefined;
  const changed = await query(
    db,
    `UPDATE outbox SET ${change}
      WHERE id = $1 AND dead_at IS NOT NULL AND done_at IS NULL RETURNING id`,
    [id],
  );
  if (changed.length === 0) return undefined;
  log.info({ jobId: id, queue, state }, 'dead letter recovered');
  return state;
}

function changeFor(state: JobOutcome['state'], isRecent: boolean): string | undefined {
  if (state === 'completed') return 'done_at = now(), data = NULL';
  // From here on it is a job like any other: the sweeper looks up its outcome.
  if (state === 'pending') return 'dead_at = NULL, dead_reason = NULL, enqueued_at = now()';
  if (state === 'failed' || !isRecent) return undefined;
  return 'dead_at = NULL, dead_reason = NULL, enqueued_at = NULL, leased_until = NULL';
}

/**
 * Rows of one answer to ops: their queue is asked about each, within the caller's deadline of 2 s.
 */
const BATCH_SIZE = 200;

/** Rows looked up concurrently: a few for each connection of the queues. */
const ASKED_AT_ONCE = 20;

/**
 * Relays dead letters again, under their own ids, which their queue no longer has: one by its id, or
 * all of the last RELAY_AGAIN_DAYS.
 */
export async function retryDeadLetters(
  parts: Parts,
  { queue, jobId, type, after }: RetryDeadLetters,
): Promise<RetriedDeadLetters> {
  const rows = await query<{ id: string; queue: string; type: string; createdAt: Date }>(
    parts.db,
    `SELECT id, queue, type, created_at FROM outbox
      WHERE dead_at IS NOT NULL AND done_at IS NULL AND queue = $1
        AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR type = $3)
        AND ($4::uuid IS NULL OR id > $4)
        AND ($2::uuid IS NOT NULL OR created_at > now() - make_interval(days => $5))
      ORDER BY id LIMIT $6`,
    [queue, jobId ?? null, type ?? null, after ?? null, RELAY_AGAIN_DAYS, BATCH_SIZE],
  );
  const retried: RetriedDeadLetter[] = [];
  for (let i = 0; i < rows.length; i += ASKED_AT_ONCE) {
    const asked = rows.slice(i, i + ASKED_AT_ONCE);
    const states = await Promise.all(
      asked.map((row) => settleDeadLetter(parts, { ...row, isRecent: true })),
    );
    for (const [at, row] of asked.entries()) {
      if (states[at] !== 'missing') continue;
      retried.push({ jobId: row.id, type: row.type, createdAt: row.createdAt.toISOString() });
    }
  }
  return { retried, next: rows.length === BATCH_SIZE ? (rows.at(-1)?.id ?? null) : null };
}

/** Endpoints of every service, which the notifier calls when ops lists and retries jobs. */
export function deadLetterEndpoints(service: QueueName, rowJobs: RowJob[]) {
  return [
    internalEndpoint({
      call: retryDeadLettersCall,
      allow: ['service:notifier'],
      handle: async (context: Parts & { relay: Loop }, body) => {
        const { retried, next } = await retryDeadLetters(context, body);
        if (retried.length > 0) context.relay.wake();
        // All at once, with the first page of the outbox.
        const isOfRows = body.queue === service && body.after === undefined;
        const rows = isOfRows ? await retryDeadRows(context.db, rowJobs, body) : [];
        return { retried: [...retried, ...rows], next };
      },
    }),
    internalEndpoint({
      call: deadRowsCall,
      allow: ['service:notifier'],
      handle: async ({ db }: Parts, question) => ({
        rows: await findDeadRows(db, rowJobs, question),
      }),
    }),
  ];
}
