import type { Envelope } from '@fiado/contracts/define';
import { SERVICES } from '@fiado/contracts/process-names';
import type { Database } from '../db/database';
import { oneByOne, query, queryNamed } from '../db/query';
import { MAX_BUNDLED, newBundleId } from '../jobs/bundle';
import { observeRelayDelay } from '../jobs/queue-metrics';
import type { Queues } from '../jobs/queues';
import type { Logger } from '../logger';
import { Loop, ROW_FAILED } from '../loop';
import { countFailedRow } from '../metrics';
import { SeldomLines } from '../seldom-lines';
import { errorTypeOf, type Span, startSpan } from '../tracing/tracer';
import { withEventBody, type EventPresenters } from './events';

/**
 * Rows of each queue in one iteration: a few milliseconds of work, so that a stop never waits long.
 */
const BATCH_SIZE = 100;

const LOOP = 'outbox relay';

/**
 * Time in which the rows of a refused bulk are tried one by one, in milliseconds. The round waits for it,
 * and so do the rows of the other queues.
 */
const ONE_BY_ONE_MS = 250;

/** Poll interval, for outbox rows without a wake-up, such as those of a killed process. */
const POLL_MS = 1_000;

/** Adds rows to a queue: each as a job, or all as one bundle. */
type AddJobs = (queue: string, rows: ClaimedRow[], bundle: string | null) => Promise<void>;

interface Adding {
  queues: Queues;
  add: AddJobs;
  logRefusals: LogRefusals;
}

/** A row that was added to its queue, and the bundle that it is in; null if it is a job of its own. */
interface AddedRow {
  id: string;
  bundle: string | null;
}

/** The outcomes of claimed rows, by their ids. */
interface Outcomes {
  added: AddedRow[];
  /** The queues answer, but refused these rows. */
  refused: string[];
  /** No queue answers, or the round had no time for them. */
  left: string[];
}

export interface RelayOptions {
  /** Make the bodies of events. */
  events?: EventPresenters | undefined;
  /** Whether new rows leave together. Every worker must be able to read bundles. */
  bundles: boolean;
}

/**
 * Moves committed outbox rows to their queues: up to 50 new rows of a queue as one bundle, a row
 * that is alone as a job. A crash between adding and marking adds a row twice; the queue, or the
 * consumer's inbox, drops the duplicate by the row's id.
 */
export function createRelay(
  db: Database,
  queues: Queues,
  log: Logger,
  { events = {}, bundles }: RelayOptions,
): Loop {
  const add: AddJobs = (queue, rows, bundle) =>
    inSpans(rows, async (spans) =>
      queues.add(
        queue,
        rows.map((row) => withEventBody(events, envelopeOf(row))),
        rows.map((row, at) => spans[at]?.traceparent ?? row.traceparent),
        bundle,
      ),
    );
  const adding: Adding = { queues, add, logRefusals: createRefusalLog(log) };
  return new Loop(log, {
    name: LOOP,
    everyMs: POLL_MS,
    round: async () => {
      const rows = await claimRows(db, bundles);
      if (rows.length === 0) return false;
      for (const { waitedSeconds } of rows) observeRelayDelay(waitedSeconds);
      const { added, refused, left } = await addAll(adding, rows);
      await markEnqueued(db, added);
      await retryLater(db, refused);
      await retrySoon(db, left);
      return rows.length >= BATCH_SIZE && added.length > 0;
    },
  });
}

/** Adds the rows of each queue. */
async function addAll(adding: Adding, rows: ClaimedRow[]): Promise<Outcomes> {
  const names = [...new Set(rows.map((row) => row.queue))];
  const outcomes = await Promise.all(
    names
      .flatMap((queue) => groupsOf(rows.filter((row) => row.queue === queue)))
      .map((group) => addTogether(adding, group)),
  );
  return {
    added: outcomes.flatMap(({ added }) => added),
    refused: outcomes.flatMap(({ refused }) => refused),
    left: outcomes.flatMap(({ left }) => left),
  };
}

/** Rows of one queue that are added in one step, which fails for all of them or for none. */
function groupsOf(rows: ClaimedRow[]): ClaimedRow[][] {
  const fresh = rows.filter(({ mayBundle }) => mayBundle);
  const groups = [
    rows.filter(({ isRetry }) => isRetry),
    // Their bundle was lost or refused. Each goes alone now, so that one job cannot block the others again.
    rows.filter(({ isRetry, mayBundle }) => !isRetry && !mayBundle),
  ];
  for (let at = 0; at < fresh.length; at += MAX_BUNDLED) {
    groups.push(fresh.slice(at, at + MAX_BUNDLED));
  }
  return groups;
}

/** @param rows of one queue */
async function addTogether(adding: Adding, rows: ClaimedRow[]): Promise<Outcomes> {
  const [first] = rows;
  if (first === undefined) return { added: [], refused: [], left: [] };
  const bundle = rows.length > 1 && first.mayBundle ? newBundleId(rows.length) : null;
  try {
    await adding.add(first.queue, rows, bundle);
    return { added: rows.map(({ id }) => ({ id, bundle })), refused: [], left: [] };
  } catch (error) {
    if (rows.length > 1 && (await answers(adding.queues))) return addOneByOne(adding, rows);
    return notAdded(adding, rows, error);
  }
}

/** One job that the queue refuses must not hold up the others. */
async function addOneByOne(adding: Adding, rows: ClaimedRow[]): Promise<Outcomes> {
  const added: AddedRow[] = [];
  const refused: string[] = [];
  const endsAtMs = performance.now() + ONE_BY_ONE_MS;
  for (const [at, row] of rows.entries()) {
    if (at > 0 && performance.now() > endsAtMs) {
      return { added, refused, left: idsOf(rows.slice(at)) };
    }
    const outcome = await addTogether(adding, [row]);
    added.push(...outcome.added);
    refused.push(...outcome.refused);
    // A queue that is unavailable refuses all rows, so one attempt is enough.
    if (outcome.left.length > 0) return { added, refused, left: idsOf(rows.slice(at)) };
  }
  return { added, refused, left: [] };
}

/** Rows that were not added: refused, or in vain because no queue answers. */
async function notAdded(
  { queues, logRefusals }: Adding,
  rows: ClaimedRow[],
  error: unknown,
): Promise<Outcomes> {
  const isAway = !(await answers(queues));
  logRefusals(rows, { error, isAway });
  return { added: [], refused: isAway ? [] : idsOf(rows), left: isAway ? idsOf(rows) : [] };
}

type LogRefusals = (rows: ClaimedRow[], why: { error: unknown; isAway: boolean }) => void;

/**
 * Counts each row that a queue refuses, and logs one line for each queue and minute: thousands of
 * rows would fill the disk. The line has the number of attempts since the one before, and one job.
 */
function createRefusalLog(log: Logger): LogRefusals {
  const lines = new SeldomLines();
  return (rows, { error, isAway }) => {
    const [{ queue, id: jobId, type: jobType } = { queue: '' }] = rows;
    if (!isAway) countFailedRow(LOOP);
    const write = (jobs: number): void => {
      if (isAway) log.warn({ err: error, queue, jobs }, 'queue did not accept jobs');
      else log.error({ err: error, loop: LOOP, queue, jobs, jobId, jobType }, ROW_FAILED);
    };
    lines.note(`${queue} ${isAway}`, write, rows.length);
  };
}

function idsOf(rows: ClaimedRow[]): string[] {
  return rows.map(({ id }) => id);
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
  isRetry: _isRetry,
  mayBundle: _mayBundle,
  traceparent: _traceparent,
  occurredAt,
  ...row
}: ClaimedRow): Envelope {
  return { ...row, occurredAt: occurredAt.toISOString() };
}

/** Rows of each queue in one iteration that it refused before: each is tried by itself. */
const RETRY_BATCH_SIZE = 20;

/** How long the rows of a relay that ended stay locked for the others. */
const LEASE_SECONDS = 10;

/** When rows are tried again that the round had no time for, or that no queue answered for. */
const SOON_SECONDS = 1;

/**
 * The longest pause of a row that its queue refuses. The pause is the age of the row, so it doubles
 * from a second on.
 */
const MAX_PAUSE_SECONDS = 60;

/**
 * Commits a statement of the relay without waiting for the disk. A server that crashes may forget
 * it: the row is added again then, as after a crash between adding and marking.
 */
const WITHOUT_SYNC = `(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`;

/**
 * Claims rows of each queue, so that a long queue does not delay another: new rows first, oldest first, and then some
 * that were refused.
 */
const CLAIM = `
  UPDATE outbox
     SET leased_until = now() + make_interval(secs => $4), enqueue_count = enqueue_count + 1
   WHERE id = ANY (ARRAY (${ofEachQueue('retry_at IS NULL', '$2')})
                || ARRAY (${ofEachQueue('retry_at <= now()', '$3')}))
     AND ${WITHOUT_SYNC}
  RETURNING id, queue, type, version, created_at AS "occurredAt",
            aggregate_id, aggregate_version, data, request_id, traceparent,
            retry_at IS NOT NULL AS "isRetry",
            $5 AND retry_at IS NULL AND bundle IS NULL AS "mayBundle",
            EXTRACT(EPOCH FROM clock_timestamp() - created_at)::float8 AS "waitedSeconds"`;

const MARK_ENQUEUED = `
  UPDATE outbox SET enqueued_at = now(), leased_until = NULL, bundle = added.bundle
    FROM unnest($1::uuid[], $2::text[]) AS added (id, bundle)
   WHERE outbox.id = added.id AND ${oneByOne('added.id')} AND ${WITHOUT_SYNC}`;

const RETRY_LATER = `
  UPDATE outbox
     SET leased_until = NULL,
         retry_at = now() + least(greatest(now() - created_at, interval '1 second'),
                                  make_interval(secs => $2))
   WHERE id = ANY($1) AND enqueued_at IS NULL`;

const RETRY_SOON = `
  UPDATE outbox SET leased_until = now() + make_interval(secs => $2)
   WHERE id = ANY($1) AND enqueued_at IS NULL`;

interface ClaimedRow extends Omit<Envelope, 'occurredAt'> {
  queue: string;
  occurredAt: Date;
  waitedSeconds: number;
  /** Whether its queue refused it before. */
  isRetry: boolean;
  /** Whether it may leave in a bundle: it was never in one, and its queue has not refused it. */
  mayBundle: boolean;
  /** The span that wrote the row; null where traces were off. */
  traceparent: string | null;
}

/** Claims waiting rows of every queue for this relay. */
function claimRows(db: Database, bundles: boolean): Promise<ClaimedRow[]> {
  const limits = [BATCH_SIZE, RETRY_BATCH_SIZE, LEASE_SECONDS];
  return queryNamed<ClaimedRow>(db, 'claim-outbox', CLAIM, [SERVICES, ...limits, bundles]);
}

/** The rows are in their queues. */
async function markEnqueued(db: Database, rows: AddedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [rows.map(({ id }) => id), rows.map(({ bundle }) => bundle)];
  await queryNamed(db, 'mark-enqueued', MARK_ENQUEUED, columns);
}

/** Their queues refuse these rows: each waits as long again as it has waited. */
async function retryLater(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await query(db, RETRY_LATER, [ids, MAX_PAUSE_SECONDS]);
}

/** No queue answers, or there was no time for them: shortens the lease. */
async function retrySoon(db: Database, ids: string[]): Promise<void> {
  if (ids.length > 0) await query(db, RETRY_SOON, [ids, SOON_SECONDS]);
}

/** The first waiting rows of each queue: a range of the index outbox_waiting for each. */
function ofEachQueue(due: string, limit: string): string {
  return `
     SELECT waiting.id FROM unnest($1::text[]) AS name CROSS JOIN LATERAL (
       SELECT id FROM outbox
        WHERE queue = name AND enqueued_at IS NULL AND ${due}
          AND (leased_until IS NULL OR leased_until < now())
        ORDER BY retry_at NULLS FIRST, created_at LIMIT ${limit}
        -- Several instances of a service relay side by side: each takes rows nobody holds.
        FOR UPDATE SKIP LOCKED) waiting`;
}
