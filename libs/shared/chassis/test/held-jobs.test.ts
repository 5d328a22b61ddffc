import { query } from '../src/db/query';
import type { Loop } from '../src/loop';
import { createSweeper } from '../src/outbox/sweeper';
import { until } from '../src/testing/until';
import {
  BACKENDS,
  log,
  startOutboxService,
  type OutboxService,
  OVERDUE_SECONDS,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let service: OutboxService;

  beforeEach(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.stop());

  test('a stalled job is released by the second check that finds it unchanged', async () => {
    service.hangs = true;
    const worker = service.startWorker();
    const id = await relayed();
    await until('a worker has it', async () => (await heldBy(id)) === 'active 1');
    await worker.close(true);
    service.hangs = false;
    service.startWorker();

    await lookTwice(id);
    await service.until(id, 'completed');
    expect(service.effects).toHaveLength(1);
  });

  test('a stalled job whose next attempt is in an hour is released too', async () => {
    const id = await relayed();
    const queue = service.queues.queue('accounts');
    const job = await queue.getJob(id);
    if (job === undefined) throw new Error('The job is not in the queue');
    await job.remove();
    const opts = { jobId: id, delay: 3_600_000 };
    await queue.addBulk([{ name: job.name, data: job.data, opts }]);
    service.startWorker();

    await lookTwice(id);
    await service.until(id, 'completed');
    expect(service.effects).toHaveLength(1);
  });

  test('a job that waits for its turn is left where it is', async () => {
    const id = await relayed();
    expect(await heldBy(id)).toBeUndefined();
  });

  async function relayed(): Promise<string> {
    const id = await service.append();
    await service.relay();
    return id;
  }

  async function heldBy(id: string): Promise<string | undefined> {
    const outcome = await service.queues.outcomeOf('accounts', id);
    return outcome.state === 'pending' ? outcome.heldBy : undefined;
  }

  /** Two looks of one sweeper, far apart by its own clock; the first lets nothing go. */
  async function lookTwice(id: string): Promise<void> {
    let nowMs = 0;
    const sweeper = createSweeper(service.db, service.queues, log, () => nowMs);
    sweeper.start();
    try {
      await look(id, sweeper);
      expect(await heldBy(id)).toBeDefined();
      nowMs = OVERDUE_SECONDS * 1_000;
      await look(id, sweeper);
    } finally {
      await sweeper.stop();
    }
  }

  /** A row that was looked at counts as handed over just now. */
  async function look(id: string, sweeper: Loop): Promise<void> {
    await service.age([id], OVERDUE_SECONDS);
    sweeper.wake();
    await until('the sweeper has looked', async () => {
      const [row] = await query<{ recent: boolean }>(
        service.db,
        `SELECT enqueued_at > now() - interval '10 seconds' AS recent FROM outbox WHERE id = $1`,
        [id],
      );
      return row?.recent === true;
    });
  }
});
