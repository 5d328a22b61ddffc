import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../src/db/query';
import { createRelay } from '../src/outbox/relay';
import { until } from '../src/testing/until';
import {
  BACKENDS,
  log,
  startOutboxService,
  type OutboxService,
  OVERDUE_SECONDS,
} from './support/outbox-service';

describe.each(BACKENDS)('while a queue in %s takes no jobs', (_name, redisUrl) => {
  let service: OutboxService;

  beforeEach(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.stop());

  const refuse = () => {
    service.queues.add = () => Promise.reject(new Error('NOPERM'));
  };

  test.each([
    [0, 1],
    [8, 8],
    [3_600, 60],
  ])('a row that is %s s old is retried after %s s', async (age, pause) => {
    const add = service.queues.add.bind(service.queues);
    refuse();
    const id = await service.append();
    await query(service.db, 'UPDATE outbox SET created_at = now() - make_interval(secs => $1)', [
      age,
    ]);
    await service.relay();
    const [row] = await query<{ seconds: number }>(
      service.db,
      'SELECT EXTRACT(EPOCH FROM retry_at - now())::float8 AS seconds FROM outbox',
    );
    expect(row?.seconds).toBeLessThanOrEqual(pause + 1);
    expect(row?.seconds).toBeGreaterThan(pause - 5);
    expect(await service.stateOf(id)).toMatchObject({ enqueued: false, enqueueCount: 1 });

    service.queues.add = add;
    await query(service.db, 'UPDATE outbox SET retry_at = now()');
    await service.relay();
    expect(await service.stateOf(id)).toMatchObject({ enqueued: true, enqueueCount: 2 });
  });

  test('rows are retried after a second as long as no queue answers', async () => {
    refuse();
    service.queues.ping = () => Promise.reject(new Error('away'));
    for (let rows = 0; rows < 3; rows += 1) await service.append();
    await service.relay();
    expect(
      await query(
        service.db,
        `SELECT retry_at IS NULL AND leased_until <= now() + interval '1 second' AS soon
           FROM outbox`,
      ),
    ).toEqual([{ soon: true }, { soon: true }, { soon: true }]);
  });

  test('the other queues do not wait until each of its rows was tried', async () => {
    const add = service.queues.add.bind(service.queues);
    service.queues.add = async (queue, ...jobs) => {
      if (queue !== 'notifier') return add(queue, ...jobs);
      await sleep(50);
      throw new Error('NOPERM');
    };
    await query(
      service.db,
      `INSERT INTO outbox (id, queue, type, version, aggregate_id, aggregate_version, data)
       SELECT gen_random_uuid(), 'notifier', 'greeted', 1, gen_random_uuid(), 1, '{}'
         FROM generate_series(1, 100)`,
    );
    const triedRows = async () => {
      const tried = `SELECT id FROM outbox WHERE queue = 'notifier' AND retry_at IS NOT NULL`;
      return (await query(service.db, tried)).length;
    };
    const other = await service.append();
    const startedAt = performance.now();
    await service.relay();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await service.stateOf(other)).toMatchObject({ enqueued: true });
    const triedFirst = await triedRows();
    expect(triedFirst).toBeGreaterThan(0);

    // The rows that were left come next.
    await query(
      service.db,
      `UPDATE outbox SET leased_until = NULL, retry_at = retry_at + interval '1 hour'`,
    );
    await service.relay();
    expect(await triedRows()).toBeGreaterThan(triedFirst);
  });

  test('its rows have one line in the log, with their number', async () => {
    refuse();
    const lines: object[] = [];
    const note = (line: object) => void lines.push(line);
    for (let rows = 0; rows < 3; rows += 1) await service.append();
    const noting = { warn: note, error: note } as unknown as typeof log;
    const one = createRelay(service.db, service.queues, noting, { bundles: true });
    one.start();
    await until('all were refused twice', async () => {
      const [row] = await query<{ least: number }>(
        service.db,
        'SELECT min(enqueue_count) AS least FROM outbox',
      );
      return (row?.least ?? 0) >= 2;
    });
    await one.stop();
    expect(lines).toEqual([expect.objectContaining({ queue: 'accounts', jobs: 1 })]);
  });

  test('its done jobs are looked up again later, and those of other queues are done', async () => {
    service.startWorker();
    const other = await service.append();
    const done = await service.append();
    await service.relay();
    for (const id of [other, done]) await service.until(id, 'completed');
    await query(service.db, `UPDATE outbox SET queue = 'notifier' WHERE id = $1`, [other]);
    await service.age([other, done], OVERDUE_SECONDS);
    const completedAmong = service.queues.completedAmong.bind(service.queues);
    let asked = 0;
    service.queues.completedAmong = (queue, ids) => {
      if (queue !== 'notifier') return completedAmong(queue, ids);
      asked += 1;
      return Promise.reject(new Error('NOPERM'));
    };
    await service.sweep();
    await service.sweep();
    expect(asked).toBe(1);
    expect(await service.stateOf(other)).toMatchObject({ enqueued: true, done: false });
    expect(await service.stateOf(done)).toMatchObject({ done: true });
  });
});
