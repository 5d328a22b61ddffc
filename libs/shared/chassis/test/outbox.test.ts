import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../src/db/query';
import { createRelay } from '../src/outbox/relay';
import { asOwner } from '../src/testing/as-owner';
import {
  BACKENDS,
  greeted,
  log,
  startOutboxService,
  type OutboxService,
  OVERDUE_SECONDS,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let service: OutboxService;

  beforeAll(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.clear());
  afterAll(() => service.stop());

  test('a relayed job has its effect once, and its row is done and wiped', async () => {
    service.startWorker();
    const id = await service.append('hola');
    await service.relay();
    await service.until(id, 'completed');
    expect(await service.stateOf(id)).toMatchObject({ enqueued: true, done: false, wiped: false });

    await service.sweep();
    expect(await service.stateOf(id)).toMatchObject({ done: false });

    await service.age([id], OVERDUE_SECONDS);
    await service.sweep();
    expect(await service.stateOf(id)).toMatchObject({ done: true, dead: false, wiped: true });
    expect(service.effects).toEqual(['hola']);
  });

  test('the relay does not wait for the disk, and whoever adds a row does', async () => {
    await asOwner(service.ownerUrl, (owner) =>
      owner.query(`
      SET search_path = outbox_test;
      CREATE TABLE commits (change text, sync text);
      CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO commits VALUES (TG_OP, current_setting('synchronous_commit'));
        RETURN NULL;
      END $$;
      CREATE TRIGGER note_commit AFTER INSERT OR UPDATE ON outbox
        FOR EACH ROW EXECUTE FUNCTION note_commit()`),
    );
    await service.append();
    await service.relay();
    await service.append();

    expect(await query(service.db, 'SELECT change, sync FROM commits')).toEqual([
      { change: 'INSERT', sync: 'on' },
      { change: 'UPDATE', sync: 'off' },
      { change: 'UPDATE', sync: 'off' },
      { change: 'INSERT', sync: 'on' },
    ]);
    await asOwner(service.ownerUrl, (owner) =>
      owner.query('DROP FUNCTION outbox_test.note_commit CASCADE'),
    );
  });

  test('the age of the oldest waiting job is exported, and 0 if none waits', async () => {
    expect(await service.queues.oldestWaitingSeconds('accounts')).toBe(0);
    for (let added = 0; added < 25; added += 1) {
      await service.append();
      await service.relay();
      if (added === 0) await sleep(1_000);
    }
    const waited = await service.queues.oldestWaitingSeconds('accounts');

    expect(waited).toBeGreaterThan(1);
    expect(waited).toBeLessThan(5);
  });

  test('a job that the queue lost is added again', async () => {
    const id = await service.append();
    await service.relay();
    await (await service.queues.queue('accounts').getJob(id))?.remove();
    await service.age([id], OVERDUE_SECONDS);
    await service.sweep();
    expect(await service.stateOf(id)).toMatchObject({ enqueued: false, dead: false });

    service.startWorker();
    await service.relay();
    await service.until(id, 'completed');
    expect(await service.stateOf(id)).toMatchObject({ enqueued: true, enqueueCount: 2 });
    expect(service.effects).toHaveLength(1);
  });

  test('of the overdue jobs those are done that are completed, and no other', async () => {
    const first = await service.append();
    await service.relay();
    service.startWorker();
    await service.until(first, 'completed');
    await service.pauseWorkers();
    const second = await service.append();
    await service.relay();
    await service.age([first, second], OVERDUE_SECONDS);

    await service.sweep();
    expect(await service.stateOf(first)).toMatchObject({ done: true, wiped: true });
    expect(await service.stateOf(second)).toMatchObject({ done: false, wiped: false });
  });

  test('a job that still waits is looked up again after the same time', async () => {
    const id = await service.append();
    await service.relay();
    await service.age([id], OVERDUE_SECONDS);
    await service.sweep();
    expect(await service.stateOf(id)).toMatchObject({ enqueued: true, done: false, dead: false });
    const [{ recent } = { recent: false }] = await query<{ recent: boolean }>(
      service.db,
      `SELECT enqueued_at > now() - interval '10 seconds' AS recent FROM outbox WHERE id = $1`,
      [id],
    );
    expect(recent).toBe(true);
  });

  describe('a relay that died between adding a job and marking its row', () => {
    /** State after the crash: the job is in the queue, and the row's lease has just expired. */
    async function addWithoutMark(): Promise<string> {
      const id = await service.append();
      await service.queues.add('accounts', [
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
        service.db,
        `UPDATE outbox SET enqueue_count = 1, leased_until = now() - interval '1 second'
          WHERE id = $1`,
        [id],
      );
      return id;
    }

    test('leaves a row that is relayed again, and one job', async () => {
      const id = await addWithoutMark();
      await service.relay();
      expect(await service.queues.queue('accounts').getJobCounts('waiting')).toEqual({
        waiting: 1,
      });
      service.startWorker();
      await service.until(id, 'completed');
      expect(await service.stateOf(id)).toMatchObject({ enqueued: true, enqueueCount: 2 });
      expect(service.effects).toEqual(['una vez']);
    });

    test('has no second effect when the queue forgot the done job meanwhile', async () => {
      service.startWorker();
      const id = await addWithoutMark();
      await service.until(id, 'completed');
      await (await service.queues.queue('accounts').getJob(id))?.remove();
      await service.relay();
      await service.until(id, 'completed');
      expect(service.effects).toEqual(['una vez']);
    });
  });

  test('relays at once hand each job over once', async () => {
    const ids = await service.appendAll(Array.from({ length: 1_500 }, () => 'hola'));
    // Relays that still open their connections come one after the other.
    await Promise.all(Array.from({ length: 8 }, () => query(service.db, 'SELECT pg_sleep(0.2)')));
    const added: string[] = [];
    const add = service.queues.add.bind(service.queues);
    service.queues.add = (queue, envelopes, ...others) => {
      added.push(...envelopes.map(({ id }) => id));
      return add(queue, envelopes, ...others);
    };
    const relays = Array.from({ length: 8 }, () =>
      createRelay(service.db, service.queues, log, { bundles: true }),
    );
    for (const one of relays) one.start();
    while (added.length < ids.length) await new Promise((resolve) => setTimeout(resolve, 10));
    await Promise.all(relays.map((one) => one.stop()));

    expect(added.toSorted()).toEqual(ids.toSorted());
    const [row] = await query<{ most: number }>(
      service.db,
      'SELECT max(enqueue_count) AS most FROM outbox',
    );
    expect(row?.most).toBe(1);
  });
});
