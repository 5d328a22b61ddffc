import { createDeadLetterLoop } from '../src/outbox/dead-letters';
import { query } from '../src/db/query';
import { until } from '../src/testing/until';
import {
  BACKENDS,
  log,
  oneRound,
  startOutboxService,
  type OutboxService,
  OVERDUE_SECONDS,
} from './support/outbox-service';

describe.each(BACKENDS)('one bad row, with queues in %s,', (_name, redisUrl) => {
  let service: OutboxService;
  let bad: string;
  let good: string;

  beforeEach(async () => {
    service = await startOutboxService(redisUrl);
    const answers = () =>
      service.queues.ping().then(
        () => true,
        () => false,
      );
    await until('the queues answer', answers);
    // The oldest, so that every round takes it first.
    bad = await service.append();
    good = await service.append();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.stop();
  });

  test('does not stop the relay', async () => {
    const add = service.queues.add.bind(service.queues);
    jest.spyOn(service.queues, 'add').mockImplementation(async (queue, envelopes) => {
      if (envelopes.some(({ id }) => id === bad)) throw new Error('a job that no queue takes');
      return add(queue, envelopes);
    });
    await service.relay();

    expect(await service.stateOf(good)).toMatchObject({ enqueued: true });
    expect(await service.stateOf(bad)).toMatchObject({ enqueued: false });
  });

  test('does not stop the sweeper, and is not the first of its next round', async () => {
    // Both are in no queue.
    await query(service.db, 'UPDATE outbox SET enqueued_at = now()');
    await service.age([bad], OVERDUE_SECONDS + 1);
    await service.age([good], OVERDUE_SECONDS);
    refuseToTellOf(bad);
    await service.sweep();

    expect(await service.stateOf(good)).toMatchObject({ enqueued: false });
    const [row] = await query<{ recent: boolean }>(
      service.db,
      `SELECT enqueued_at > now() - interval '10 seconds' AS recent FROM outbox WHERE id = $1`,
      [bad],
    );
    expect(row).toEqual({ recent: true });
  });

  test('does not stop the check of dead letters', async () => {
    await query(service.db, 'UPDATE outbox SET enqueued_at = now(), dead_at = now()');
    refuseToTellOf(bad);
    await oneRound(createDeadLetterLoop(service.db, service.queues, log));

    expect(await service.stateOf(good)).toMatchObject({ dead: false });
    expect(await service.stateOf(bad)).toMatchObject({ dead: true });
  });

  /** A job that its queue cannot read. */
  function refuseToTellOf(id: string): void {
    const outcomeOf = service.queues.outcomeOf.bind(service.queues);
    jest.spyOn(service.queues, 'outcomeOf').mockImplementation(async (queue, jobId) => {
      if (jobId === id) throw new Error('a job that cannot be read');
      return outcomeOf(queue, jobId);
    });
  }
});
