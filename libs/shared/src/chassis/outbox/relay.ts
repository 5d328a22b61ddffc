import type { Envelope } from '../../contracts/define-job';
import type { Database } from '../db/database';
import type { Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { guardRow } from '../guard-row';
import { Loop } from '../loop';
import { query, queryNamed } from '../db/query';
import { observeRelayDelay } from '../queue-metrics';
import type { Span } from '../tracing/span';
import { errorTypeOf, startSpan } from '../tracing/tracer';
import { announced, type EventPresenters } from './announce';

const LOOP = 'outbox relay';
/** Rows moved in one iteration: a few milliseconds of work, so that a stop never waits long. */
const BATCH_SIZE = 100;
/** How long the rows of a relay that ended stay locked for the others. */
const LEASE_SECONDS = 10;
/** When rows that a queue did not take are retried: a queue that restarts is back by then. */
const RETRY_SECONDS = 1;
/** Poll interval, for outbox rows without a wake-up, such as those of a killed process. */
const POLL_MS = 1_000;

/** Adds rows to a queue as its jobs. */
type AddJobs = (queue: string, rows: ClaimedRow[]) => Promise<void>;

interface Adding {
  queues: Queues;
  add: AddJobs;
  log: Logger;
}

interface ClaimedRow extends Omit<Envelope, 'occurredAt'> {
  queue: string;
  occurredAt: Date;
  waitedSeconds: number;
  /** The span that wrote the row; null where traces were off. */
  traceparent: string | null;
}

/**
 * Moves committed outbox rows to their queues. A crash between adding and marking adds a row twice;
 * the row's id is the job's id, so the queue or the consumer's inbox drops the duplicate.
 */
export function createRelay(
  db: Database,
  queues: Queues,
  log: Logger,
  events: EventPresenters = {},
): Loop {
  const add: AddJobs = (queue, rows) =>
    inSpans(rows, async (spans) =>
      queues.add(
        queue,
        rows.map((row) => announced(events, envelopeOf(row))),
        rows.map((row, at) => spans[at]?.traceparent ?? row.traceparent),
      ),
    );
  return new Loop(log, {
    name: LOOP,
    everyMs: POLL_MS,
    round: async () => {
      const rows = await queryNamed<ClaimedRow>(db, 'claim-outbox', CLAIM, [
        BATCH_SIZE,
        LEASE_SECONDS,
      ]);
      if (rows.length === 0) return false;
      for (const { waitedSeconds } of rows) observeRelayDelay(waitedSeconds);
      const added = await addAll({ queues, add, log }, rows);
      await queryNamed(db, 'mark-enqueued', MARK_ENQUEUED, [added]);
      if (added.length < rows.length) await retrySoon(db, rows, added);
      return rows.length === BATCH_SIZE && added.length > 0;
    },
  });
}

/**
 * Commits a statement of the relay without waiting for the disk. A server that crashes may forget
 * it: the row is added again then, as after a crash between adding and marking.
 */
const WITHOUT_SYNC = `(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`;

const CLAIM = `
  UPDATE outbox
     SET leased_until = now() + make_interval(secs => $2), enqueue_count = enqueue_count + 1
   WHERE id IN (
     SELECT id FROM outbox
      WHERE enqueued_at IS NULL AND (leased_until IS NULL OR leased_until < now())
      ORDER BY created_at LIMIT $1
      -- Several instances of a service relay side by side: each takes rows nobody holds.
      FOR UPDATE SKIP LOCKED)
     AND ${WITHOUT_SYNC}
  RETURNING id, queue, type, version, created_at AS "occurredAt",
            aggregate_id, aggregate_version, data, request_id, traceparent,
            EXTRACT(EPOCH FROM clock_timestamp() - created_at)::float8 AS "waitedSeconds"`;

const MARK_ENQUEUED = `
  UPDATE outbox SET enqueued_at = now(), leased_until = NULL
   WHERE id = ANY($1) AND ${WITHOUT_SYNC}`;

/** Shortens the lease of rows that no queue accepted, so that they are retried soon. */
async function retrySoon(db: Database, rows: ClaimedRow[], added: string[]): Promise<void> {
  const taken = new Set(added);
  await query(
    db,
    `UPDATE outbox SET leased_until = now() + make_interval(secs => $2)
      WHERE id = ANY($1) AND enqueued_at IS NULL`,
    [rows.map(({ id }) => id).filter((id) => !taken.has(id)), RETRY_SECONDS],
  );
}

/** @returns the ids that a queue has taken; the others are retried a second later */
async function addAll(adding: Adding, rows: ClaimedRow[]): Promise<string[]> {
  const { add, log } = adding;
  const names = [...new Set(rows.map((row) => row.queue))];
  const added = await Promise.all(
    names.map(async (queue) => {
      const queueRows = rows.filter((row) => row.queue === queue);
      try {
        await add(queue, queueRows);
        return queueRows.map((row) => row.id);
      } catch (error) {
        log.warn({ err: error, queue, jobs: queueRows.length }, 'queue did not accept jobs');
        return addOneByOne(adding, queueRows);
      }
    }),
  );
  return added.flat();
}

/**
 * One job that the queue refuses must not hold up the others.
 * @returns the ids that it has taken
 */
async function addOneByOne({ queues, add, log }: Adding, rows: ClaimedRow[]): Promise<string[]> {
  const added: string[] = [];
  for (const row of rows) {
    // A queue that is unavailable refuses all rows, so one attempt is enough.
    if (!(await answers(queues))) break;
    const names = { jobId: row.id, queue: row.queue, jobType: row.type };
    const isAdded = await guardRow(LOOP, { log, ...names }, () => add(row.queue, [row]));
    if (isAdded) added.push(row.id);
  }
  return added;
}

function answers(queues: Queues): Promise<boolean> {
  return queues.ping().then(
    () => true,
    () => false,
  );
}

/** Each row has a span in the trace that it belongs to; all of them end together. */
async function inSpans(
  rows: ClaimedRow[],
  work: (spans: (Span | undefined)[]) => Promise<void>,
): Promise<void> {
  const spans = rows.map(spanOf);
  try {
    await work(spans);
  } catch (error) {
    for (const span of spans) span?.fail(errorTypeOf(error));
    throw error;
  } finally {
    for (const span of spans) span?.end();
  }
}

function spanOf({ id, type, queue, traceparent, waitedSeconds }: ClaimedRow): Span | undefined {
  return startSpan(`send ${type}`, {
    kind: 'producer',
    parent: traceparent,
    attributes: {
      'messaging.destination.name': queue,
      'messaging.message.id': id,
      'fiado.outbox.waited_ms': Math.round(waitedSeconds * 1_000),
    },
  });
}

function envelopeOf({
  queue: _queue,
  waitedSeconds: _waited,
  traceparent: _traceparent,
  occurredAt,
  ...row
}: ClaimedRow): Envelope {
  return { ...row, occurredAt: occurredAt.toISOString() };
}
