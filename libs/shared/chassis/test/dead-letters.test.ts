import type { RetryDeadLetters } from '@fiado/contracts/dead-letters';
import { query } from '../src/db/query';
import { retryJob } from '../src/jobs/queue-jobs';
import { createDeadLetterLoop, retryDeadLetters } from '../src/outbox/dead-letters';
import {
  BACKENDS,
  greeted,
  log,
  oneRound,
  type OutboxService,
  OVERDUE_SECONDS,
  startOutboxService,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let service: OutboxService;

  beforeEach(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.stop());

  const lookAtDead = () => oneRound(createDeadLetterLoop(service.db, service.queues, log));

  /** As after FLUSHALL, or when the queue has kept the failed job for its week. */
  const forget = async (id: string) =>
    (await service.queues.queue('accounts').getJob(id))?.remove();
  const retry = async (which: Partial<RetryDeadLetters> = {}) => {
    const command: RetryDeadLetters = { queue: 'accounts', ...which };
    const { retried } = await retryDeadLetters({ ...service, log }, command);
    return retried.map(({ jobId }) => jobId);
  };

  /** A job that its consumer refused for good, seen by the sweeper. */
  async function deadLetter(): Promise<string> {
    service.refuses = true;
    service.startWorker();
    const id = await service.append();
    await service.relay();
    await service.until(id, 'failed');
    await service.age([id], OVERDUE_SECONDS);
    await service.sweep();
    service.refuses = false;
    return id;
  }

  test('a job that failed for good is a dead letter with its reason', async () => {
    const id = await deadLetter();
    expect(await service.stateOf(id)).toMatchObject({
      dead: true,
      done: false,
      deadReason: 'The job does not exist',
      wiped: false,
    });
    await service.relay();
    expect(await service.stateOf(id)).toMatchObject({ enqueueCount: 1 });
  });

  test('a dead letter that was retried and completed is closed', async () => {
    const id = await deadLetter();
    await lookAtDead();
    expect(await service.stateOf(id)).toMatchObject({ dead: true, done: false });

    expect(await retryJob(service.queues, 'accounts', id)).toBe(true);
    await service.until(id, 'completed');
    await lookAtDead();
    expect(await service.stateOf(id)).toMatchObject({ done: true, wiped: true });
    expect(service.effects).toHaveLength(1);
  });

  test('a dead letter that was retried and still waits is a job like any other', async () => {
    const id = await deadLetter();
    await service.pauseWorkers();
    await retryJob(service.queues, 'accounts', id);
    await lookAtDead();
    expect(await service.stateOf(id)).toMatchObject({ dead: false, done: false, enqueued: true });

    // Also when the queue loses it now.
    await (await service.queues.queue('accounts').getJob(id))?.remove();
    await service.age([id], OVERDUE_SECONDS);
    await service.sweep();
    service.startWorker();
    await service.relay();
    await service.until(id, 'completed');
    expect(service.effects).toHaveLength(1);
  });

  test('a dead letter that its queue forgot is relayed again', async () => {
    const id = await deadLetter();
    await forget(id);
    await lookAtDead();
    expect(await service.stateOf(id)).toMatchObject({ dead: false, enqueued: false });

    await service.relay();
    await service.until(id, 'completed');
    expect(service.effects).toHaveLength(1);
  });

  test('one that its consumer may have forgotten is retried only by its id', async () => {
    const id = await deadLetter();
    await forget(id);
    await query(service.db, "UPDATE outbox SET created_at = now() - interval '29 days'");
    await lookAtDead();
    expect(await retry()).toEqual([]);
    expect(await service.stateOf(id)).toMatchObject({ dead: true });

    expect(await retry({ jobId: id })).toEqual([id]);
    expect(await service.stateOf(id)).toMatchObject({ dead: false, enqueued: false });
  });

  test('ops retries all jobs of a queue or type that the queue no longer has', async () => {
    const id = await deadLetter();
    expect(await retry()).toEqual([]);

    await forget(id);
    expect(await retry({ type: 'other' })).toEqual([]);
    expect(await retry({ queue: 'payments' })).toEqual([]);
    expect(await retry({ type: greeted.type })).toEqual([id]);
    expect(await retry({ type: greeted.type })).toEqual([]);
    await service.relay();
    await service.until(id, 'completed');
    expect(service.effects).toHaveLength(1);
  });

  test('a job that was retried is not retried twice', async () => {
    const id = await deadLetter();
    await service.pauseWorkers();
    const retried = await Promise.all([
      retryJob(service.queues, 'accounts', id),
      retryJob(service.queues, 'accounts', id),
    ]);
    expect(retried.filter(Boolean)).toHaveLength(1);
  });
});
