import type { Database } from '../db/database';
import { query } from '../db/query';
import type { BundleOutcome, JobOutcome, Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { guardRow, Loop } from '../loop';

const LOOP = 'outbox sweeper';
/** How often the sweeper looks. */
const SWEEP_MS = 10_000;
/** A job that is not done after this time is looked up: longer than any healthy job takes. */
const ASK_AFTER_SECONDS = 30;
/** Rows asked for in one round. */
const BATCH_SIZE = 500;
/**
 * Rows looked up concurrently and written in one statement: a few for each connection of the
 * queues.
 */
const ASKED_AT_ONCE = 20;
/**
 * A held job that is unchanged in a check this much later is released: no handler and no delay
 * between attempts takes so long. Its worker is gone, and the queue has not noticed: BullMQ on
 * Postgres judges locks and pauses by the clocks of its workers, and one that is wrong holds up all
 * jobs.
 */
const RELEASE_AFTER_MS = 25_000;
/** When this sweeper forgets a job that the sweeper of another instance has settled. */
const FORGET_HELD_MS = 600_000;

interface OverdueRow {
  id: string;
  queue: string;
  requestId: string | null;
  /** The bundle that it is in; null if it is a job of its own. */
  bundle: string | null;
}

/** Held jobs and when they were first seen, on the monotonic clock. */
type HeldJobs = Map<string, { by: string; sinceMs: number }>;

interface Sweep {
  db: Database;
  queues: Queues;
  log: Logger;
  held: HeldJobs;
  /** Outcomes of bundles, each looked up once in a round. */
  bundles: Map<string, Promise<BundleOutcome>>;
}

/**
 * Looks up every job a second time, by the database's clock. A finished job is marked as done, a
 * failed job as a dead letter. A job that the queue lost (flushed, or killed without an append-only
 * file) is relayed again, and a stalled job is released.
 */
export function createSweeper(
  db: Database,
  queues: Queues,
  log: Logger,
  monotonicMs: () => number = () => performance.now(),
): Loop {
  const sweep: Sweep = { db, queues, log, held: new Map(), bundles: new Map() };
  return new Loop(log, {
    name: LOOP,
    everyMs: SWEEP_MS,
    round: async () => {
      sweep.bundles.clear();
      const rows = await query<OverdueRow>(
        db,
        `SELECT id, queue, request_id, bundle FROM outbox
          WHERE enqueued_at < now() - make_interval(secs => $1) AND done_at IS NULL AND dead_at IS NULL
          ORDER BY enqueued_at LIMIT $2`,
        [ASK_AFTER_SECONDS, BATCH_SIZE],
      );
      const doubtful = await settleCompleted(sweep, rows);
      for (let i = 0; i < doubtful.length; i += ASKED_AT_ONCE) {
        await settle(sweep, doubtful.slice(i, i + ASKED_AT_ONCE), monotonicMs());
      }
      for (const [id, { sinceMs }] of sweep.held) {
        if (sinceMs < monotonicMs() - FORGET_HELD_MS) sweep.held.delete(id);
      }
      return rows.length === BATCH_SIZE;
    },
  });
}

/**
 * Nearly all jobs are done by then, so a queue costs one request and one statement. If a queue does not
 * answer, its jobs are looked up again later, after the jobs of the other queues.
 */
async function settleCompleted(
  { db, queues, log }: Sweep,
  rows: OverdueRow[],
): Promise<OverdueRow[]> {
  const settled = new Set<string>();
  for (const queue of new Set(rows.map((row) => row.queue))) {
    const own = rows.filter((row) => row.queue === queue);
    const ids = own.map(({ id }) => id);
    // Of a bundle the queue knows only the bundle's id. Which of its jobs are done is looked up below.
    const jobIds = [...new Set(own.map(({ id, bundle }) => bundle ?? id))];
    let completed: string[] = [];
    const isRead = await guardRow(LOOP, { log, queue, jobs: ids.length }, async () => {
      const found = new Set(await queues.completedAmong(queue, jobIds));
      completed = ids.filter((id) => found.has(id));
    });
    if (isRead) await markDone(db, completed);
    else await lookAgainLater(db, ids);
    for (const id of isRead ? completed : ids) settled.add(id);
  }
  return rows.filter(({ id }) => !settled.has(id));
}

/** Looks up jobs one by one, and updates rows with the same outcome together. */
async function settle(sweep: Sweep, rows: OverdueRow[], nowMs: number): Promise<void> {
  const { db } = sweep;
  const outcomes = new Map<string, JobOutcome['state']>();
  await Promise.all(
    rows.map((row) =>
      guardRow(LOOP, { log: sweep.log, ...namesOf(row) }, async () => {
        outcomes.set(row.id, await settleOne(sweep, row, nowMs));
      }),
    ),
  );
  const idsOf = (outcome: JobOutcome['state']): string[] =>
    rows.map(({ id }) => id).filter((id) => outcomes.get(id) === outcome);
  await markDone(db, idsOf('completed'));
  // Still waiting or running, or unreadable: look it up again after the same time. Otherwise an
  // unreadable job would be the first of every iteration.
  const unread = rows.map(({ id }) => id).filter((id) => !outcomes.has(id));
  await lookAgainLater(db, [...idsOf('pending'), ...unread]);
}

function lookAgainLater(db: Database, ids: string[]): Promise<void> {
  return updateAll(db, 'enqueued_at = now()', ids);
}

/** @returns the outcome of the job; rare outcomes are written here */
async function settleOne(
  sweep: Sweep,
  row: OverdueRow,
  nowMs: number,
): Promise<JobOutcome['state']> {
  const { db, queues, log, held } = sweep;
  const { jobId, outcome } = await lookUp(sweep, row);
  const heldBy = outcome.state === 'pending' ? outcome.heldBy : undefined;
  if (isStuck(held, jobId, { heldBy, nowMs })) {
    // Before the release, so that the other rows of a bundle do not release it too.
    held.delete(jobId);
    await queues.release(row.queue, jobId);
    log.warn({ jobId, queue: row.queue, heldBy }, 'stalled job released');
  }
  if (outcome.state === 'failed') {
    await query(db, 'UPDATE outbox SET dead_at = now(), dead_reason = $2 WHERE id = $1', [
      row.id,
      outcome.reason,
    ]);
    log.error({ ...namesOf(row), reason: outcome.reason }, 'dead letter found');
  } else if (outcome.state === 'missing') {
    await query(db, 'UPDATE outbox SET enqueued_at = NULL WHERE id = $1', [row.id]);
    log.warn(namesOf(row), 'job lost by its queue; adding it again');
  }
  return outcome.state;
}

/**
 * The job that decides about a row. The bundle is read first: when it is completed, what failed in
 * it has been added as a job of its own.
 */
async function lookUp(
  { queues, bundles }: Sweep,
  { id, queue, bundle }: OverdueRow,
): Promise<{ jobId: string; outcome: JobOutcome }> {
  if (bundle !== null) {
    const asked = bundles.get(bundle) ?? queues.outcomeOfBundle(queue, bundle);
    bundles.set(bundle, asked);
    const outcome = await asked;
    if (outcome.state === 'pending') return { jobId: bundle, outcome };
    if (outcome.state === 'completed' && outcome.apart?.has(id) !== true)
      return { jobId: bundle, outcome };
  }
  return { jobId: id, outcome: await queues.outcomeOf(queue, id) };
}

/** The data may carry a sealed phone and code: nothing needs it any more. */
function markDone(db: Database, ids: string[]): Promise<void> {
  return updateAll(db, 'done_at = now(), data = NULL', ids);
}

async function updateAll(db: Database, change: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await query(db, `UPDATE outbox SET ${change} WHERE id = ANY($1::uuid[])`, [ids]);
}

/** Whether a job is held by the same attempt as in an earlier check; records this check. */
function isStuck(
  held: HeldJobs,
  id: string,
  { heldBy, nowMs }: { heldBy: string | undefined; nowMs: number },
): boolean {
  const before = held.get(id);
  if (heldBy === undefined) held.delete(id);
  else if (before?.by !== heldBy) held.set(id, { by: heldBy, sinceMs: nowMs });
  else return nowMs - before.sinceMs > RELEASE_AFTER_MS;
  return false;
}

function namesOf({ id, queue, requestId }: OverdueRow): object {
  return { jobId: id, queue, ...(requestId === null ? {} : { requestId }) };
}
