import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import { IsString } from '@fiado/contracts/class-validator';
import { defineJob } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import { Database } from '../../src/db/database';
import { query } from '../../src/db/query';
import { queuesDatabaseUrl } from '../../src/db/roles';
import type { Schema } from '../../src/db/schema';
import { type JobOutcome, Queues } from '../../src/jobs/queues';
import type { BullWorker } from '../../src/jobs/backends';
import { createWorker, on } from '../../src/jobs/worker';
import { ClockWatch, DatabaseWatch, WorkerGate } from '../../src/jobs/worker-gate';
import { WorkerPulse } from '../../src/jobs/worker-pulse';
import { createLogger } from '../../src/logger';
import type { Loop } from '../../src/loop';
import { appendToOutbox, outboxRows } from '../../src/outbox/append';
import { enterInbox } from '../../src/outbox/inbox';
import { createRelay } from '../../src/outbox/relay';
import { createSweeper } from '../../src/outbox/sweeper';
import { createTestDatabase } from '../../src/testing/database';
import { testProcessKeys } from '../../src/testing/process-keys';
import { TEST_TIMING } from '../../src/testing/timing';
import { until } from '../../src/testing/until';

const schema: Schema = { name: 'outbox_test', migrations: [] };
/** Longer than the sweeper waits before it asks, and before it lets go. */
export const OVERDUE_SECONDS = 31;

class Greeting {
  @IsString()
  text: string;
}

export const greeted = defineJob({
  type: 'greeted',
  producers: ['accounts'],
  queues: ['accounts'],
  Data: Greeting,
});

/** Keys of the one process that produces and consumes the jobs. */
const keys = testProcessKeys('accounts');

export const log = createLogger('outbox test', process.env.LOG_LEVEL ?? 'silent');

/** Homes of the queues that this machine can test. */
export const BACKENDS: Array<[name: string, redisUrl: string | undefined]> = [
  ['Postgres', undefined],
  ...(process.env.REDIS_URL === undefined
    ? []
    : [['Redis', process.env.REDIS_URL] as [string, string]]),
];

interface OutboxState {
  enqueueCount: number;
  enqueued: boolean;
  done: boolean;
  dead: boolean;
  deadReason: string | null;
  wiped: boolean;
}

export interface OutboxService {
  db: Database;
  queues: Queues;
  /** Another process' connection to the same queues. */
  openQueues(): Queues;
  /** Texts of the greetings that had their effect. */
  effects: string[];
  /** Whether the consumer refuses greetings for good. */
  refuses: boolean;
  /** Whether the consumer takes greetings and never comes back. */
  hangs: boolean;
  /** How far the clock of the workers is ahead. */
  clockTurnMs: number;
  clock: ClockWatch;
  database: DatabaseWatch;
  /** Runs in the consumer before its effect. */
  beforeEffect: () => Promise<void>;
  startWorker(): BullWorker;
  /** Ends the workers: what is added now waits. */
  pauseWorkers(): Promise<void>;
  append(text?: string): Promise<string>;
  /** Appends a greeting with each text, by one statement. @returns their ids */
  appendAll(texts: string[]): Promise<string[]>;
  /** One round of the relay, by default with bundles. */
  relay(options?: { bundles: boolean }): Promise<void>;
  /** One round of the sweeper. */
  sweep(): Promise<void>;
  ownerUrl: string;
  stateOf(id: string): Promise<OutboxState>;
  /** Pretends that these jobs were relayed this long ago. */
  age(ids: string[], seconds: number): Promise<void>;
  /** Waits for the outcome of a job, also inside a bundle. */
  until(id: string, state: string): Promise<void>;
  /** The outcome of a job, also inside a bundle. */
  outcomeOf(id: string): Promise<JobOutcome['state']>;
  /** As it was after its start: without workers, rows and jobs. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An outbox, its queues and a consumer, without a service around them.
 * @param wayTo another URL of the database, where a test stands between
 */
export async function startOutboxService(
  redisUrl: string | undefined,
  wayTo: (databaseUrl: string) => Promise<string> = (databaseUrl) => Promise.resolve(databaseUrl),
): Promise<OutboxService> {
  const database = await createTestDatabase(schema);
  const databaseUrl = await wayTo(database.ownerUrl);
  const { connection } = database;
  const isDirect = databaseUrl === database.ownerUrl;
  const db = Database.open(
    schema,
    isDirect ? connection : { ...connection, url: databaseUrl },
    () => {},
  );
  const opened: Queues[] = [];
  const workers: BullWorker[] = [];
  const pulses: WorkerPulse[] = [];
  const gate = new WorkerGate();

  const service: OutboxService = {
    db,
    ownerUrl: database.ownerUrl,
    queues: undefined as never,
    effects: [],
    refuses: false,
    hangs: false,
    clockTurnMs: 0,
    clock: new ClockWatch(db, {
      service: 'accounts',
      gate,
      log,
      now: () => Date.now() + service.clockTurnMs,
    }),
    database: new DatabaseWatch(db, { gate, log }),
    beforeEffect: async () => {},
    openQueues: () => {
      const queues = new Queues({
        redisUrl,
        queuesDatabaseUrl: queuesDatabaseUrl(databaseUrl),
        prefix: database.name,
        keys,
        log,
      });
      opened.push(queues);
      return queues;
    },
    startWorker: () => {
      const route = on(greeted, async ({ id, data }) => {
        if (service.hangs) await new Promise(() => undefined);
        if (service.refuses) throw new AppError('JOB_NOT_FOUND');
        await service.beforeEffect();
        await db.transaction(async (tx) => {
          if (await enterInbox(tx, id)) service.effects.push(data.text);
        });
      });
      const { queues } = service;
      const pulse = new WorkerPulse(queues, 'accounts', TEST_TIMING);
      pulses.push(pulse);
      const routes = [route];
      const watches = { gate, database: service.database };
      const parts = { queues, queue: 'accounts' as const, routes, keys, pulse };
      const worker = createWorker({ ...parts, ...watches, log });
      gate.guard(worker);
      workers.push(worker);
      void worker.run();
      return worker;
    },
    pauseWorkers: async () => {
      for (const worker of workers.splice(0)) await worker.close();
    },
    append: async (text = 'buenos días') => {
      const [id = ''] = await service.appendAll([text]);
      return id;
    },
    appendAll: async (texts) => {
      const rows = texts.flatMap((text) =>
        outboxRows(greeted, { id: randomUUID(), version: 1 }, { text }),
      );
      await appendToOutbox(db, rows);
      return rows.map(({ id }) => id);
    },
    relay: (options = { bundles: true }) => oneRound(createRelay(db, service.queues, log, options)),
    sweep: () => oneRound(createSweeper(db, service.queues, log)),
    stateOf: async (id) => {
      const [row] = await query<OutboxState & Record<string, unknown>>(
        db,
        `SELECT enqueue_count, enqueued_at IS NOT NULL AS enqueued, done_at IS NOT NULL AS done,
                dead_at IS NOT NULL AS dead, dead_reason, data IS NULL AS wiped
           FROM outbox WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new Error('There is no such row');
      return row;
    },
    age: async (ids, seconds) => {
      await query(
        db,
        'UPDATE outbox SET enqueued_at = now() - make_interval(secs => $2) WHERE id = ANY ($1)',
        [ids, seconds],
      );
    },
    outcomeOf: async (id) => {
      const [row] = await query<{ bundle: string | null }>(
        db,
        'SELECT bundle FROM outbox WHERE id = $1',
        [id],
      );
      const { queues } = service;
      if (row !== undefined && row.bundle !== null) {
        const outcome = await queues.outcomeOfBundle('accounts', row.bundle);
        if (outcome.state === 'pending') return outcome.state;
        if (outcome.state === 'completed' && outcome.apart?.has(id) !== true) return outcome.state;
      }
      return (await queues.outcomeOf('accounts', id)).state;
    },
    until: (id, state) =>
      until(`the job is ${state}`, async () => (await service.outcomeOf(id)) === state),
    clear: async () => {
      await service.pauseWorkers();
      for (const pulse of pulses.splice(0)) pulse.close();
      await query(db, 'DELETE FROM outbox');
      await (service.queues.queue('accounts') as Queue).obliterate({ force: true });
      service.effects = [];
      service.beforeEffect = async () => {};
    },
    stop: async () => {
      await service.pauseWorkers();
      // A job that hangs would show in the metrics of the process for the tests after this one.
      for (const pulse of pulses) pulse.close();
      for (const queues of opened) await queues.close();
      await db.close();
      await database.drop();
    },
  };
  service.queues = service.openQueues();
  const answer = () =>
    service.queues.ping().then(
      () => true,
      () => false,
    );
  await until('the queues are reached', answer);
  return service;
}

/** One round of a loop. */
export async function oneRound(loop: Loop): Promise<void> {
  loop.start();
  await loop.stop();
}
