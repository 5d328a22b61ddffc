import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../src/chassis/db/query';
import { createRelay } from '../src/chassis/outbox/relay';
import { createSweeper } from '../src/chassis/outbox/sweeper';
import {
  BACKENDS,
  greeted,
  log,
  oneRound,
  startOutboxHouse,
  type OutboxHouse,
} from './support/outbox-house';

/** Longer than the sweeper waits before it asks. */
const OVERDUE_SECONDS = 31;

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let house: OutboxHouse;

  beforeEach(async () => {
    house = await startOutboxHouse(redisUrl);
  });
  afterEach(() => house.stop());

  const relay = () => oneRound(createRelay(house.db, house.queues, log));
  const sweep = () => oneRound(createSweeper(house.db, house.queues, log));

  test('a relayed job has its effect once, and its row is done and wiped', async () => {
    house.startWorker();
    const id = await house.append('hola');
    await relay();
    await house.until(id, 'completed');
    expect(await house.stateOf(id)).toMatchObject({ enqueued: true, done: false, wiped: false });

    await sweep();
    expect(await house.stateOf(id)).toMatchObject({ done: false });

    await house.age(id, OVERDUE_SECONDS);
    await sweep();
    expect(await house.stateOf(id)).toMatchObject({ done: true, dead: false, wiped: true });
    expect(house.effects).toEqual(['hola']);
  });

  test('the age of the oldest waiting job is exported, and 0 if none waits', async () => {
    expect(await house.queues.oldestWaitingSeconds('accounts')).toBe(0);
    for (let added = 0; added < 25; added += 1) {
      await house.append();
      await relay();
      if (added === 0) await sleep(1_000);
    }
    const waited = await house.queues.oldestWaitingSeconds('accounts');

    expect(waited).toBeGreaterThan(1);
    expect(waited).toBeLessThan(5);
  });

  test('a job that the queue lost is added again', async () => {
    const id = await house.append();
    await relay();
    await (await house.queues.queue('accounts').getJob(id))?.remove();
    await house.age(id, OVERDUE_SECONDS);
    await sweep();
    expect(await house.stateOf(id)).toMatchObject({ enqueued: false, dead: false });

    house.startWorker();
    await relay();
    await house.until(id, 'completed');
    expect(await house.stateOf(id)).toMatchObject({ enqueued: true, enqueue_count: 2 });
    expect(house.effects).toHaveLength(1);
  });

  test('of the overdue jobs those are done that are completed, and no other', async () => {
    const first = await house.append();
    await relay();
    house.startWorker();
    await house.until(first, 'completed');
    await house.pauseWorkers();
    const second = await house.append();
    await relay();
    for (const id of [first, second]) await house.age(id, OVERDUE_SECONDS);

    await sweep();
    expect(await house.stateOf(first)).toMatchObject({ done: true, wiped: true });
    expect(await house.stateOf(second)).toMatchObject({ done: false, wiped: false });
  });

  test('a job that still waits is asked for again after as long', async () => {
    const id = await house.append();
    await relay();
    await house.age(id, OVERDUE_SECONDS);
    await sweep();
    expect(await house.stateOf(id)).toMatchObject({ enqueued: true, done: false, dead: false });
    const [{ recent } = { recent: false }] = await query<{ recent: boolean }>(
      house.db,
      `SELECT enqueued_at > now() - interval '10 seconds' AS recent FROM outbox WHERE id = $1`,
      [id],
    );
    expect(recent).toBe(true);
  });

  describe('a relay that died between adding a job and marking its row', () => {
    /** What it leaves behind: the job in the queue, the row leased until a moment ago. */
    async function addWithoutMark(): Promise<string> {
      const id = await house.append();
      await house.queues.add('accounts', [
        {
          id,
          type: greeted.type,
          version: 1,
          occurredAt: new Date().toISOString(),
          aggregateId: id,
          aggregateVersion: 1,
          data: { text: 'una vez' },
        },
      ]);
      await query(
        house.db,
        `UPDATE outbox SET enqueue_count = 1, leased_until = now() - interval '1 second'
          WHERE id = $1`,
        [id],
      );
      return id;
    }

    test('leaves a row that is relayed again, and one job', async () => {
      const id = await addWithoutMark();
      await relay();
      expect(await house.queues.queue('accounts').getJobCounts('waiting')).toEqual({ waiting: 1 });
      house.startWorker();
      await house.until(id, 'completed');
      expect(await house.stateOf(id)).toMatchObject({ enqueued: true, enqueue_count: 2 });
      expect(house.effects).toEqual(['una vez']);
    });

    test('has no second effect when the queue forgot the done job meanwhile', async () => {
      house.startWorker();
      const id = await addWithoutMark();
      await house.until(id, 'completed');
      await (await house.queues.queue('accounts').getJob(id))?.remove();
      await relay();
      await house.until(id, 'completed');
      expect(house.effects).toEqual(['una vez']);
    });
  });

  test('relays at once hand each job over once', async () => {
    const ids: string[] = [];
    // In groups: on a busy machine all at once wait too long for a connection.
    while (ids.length < 1_500) {
      ids.push(...(await Promise.all(Array.from({ length: 50 }, () => house.append()))));
    }
    // Relays that still open their connections come one after the other.
    await Promise.all(Array.from({ length: 8 }, () => query(house.db, 'SELECT pg_sleep(0.2)')));
    const added: string[] = [];
    const add = house.queues.add.bind(house.queues);
    house.queues.add = (queue, envelopes) => {
      added.push(...envelopes.map(({ id }) => id));
      return add(queue, envelopes);
    };
    const relays = Array.from({ length: 8 }, () => createRelay(house.db, house.queues, log));
    for (const one of relays) one.start();
    while (added.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all(relays.map((one) => one.stop()));

    expect(added.toSorted()).toEqual(ids.toSorted());
    const [row] = await query<{ most: number }>(
      house.db,
      'SELECT max(enqueue_count) AS most FROM outbox',
    );
    expect(row?.most).toBe(1);
  });

  test('a row whose queue takes nothing is tried again after a second', async () => {
    const id = await house.append();
    const away = vi.spyOn(house.queues, 'add').mockRejectedValue(new Error('away'));
    await relay();
    away.mockRestore();
    const [row] = await query<{ soon: boolean }>(
      house.db,
      `SELECT leased_until <= now() + interval '1 second' AS soon FROM outbox WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ soon: true });
    expect(await house.stateOf(id)).toMatchObject({ enqueued: false, enqueue_count: 1 });

    await query(house.db, 'UPDATE outbox SET leased_until = now() WHERE id = $1', [id]);
    await relay();
    expect(await house.stateOf(id)).toMatchObject({ enqueued: true, enqueue_count: 2 });
  });
});
