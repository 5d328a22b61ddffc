import { createRelay } from '../src/chassis/outbox/relay';
import { addJob } from '../src/testing/service';
import { until } from '../src/testing/until';
import { DatabaseLine } from './support/database-line';
import {
  BACKENDS,
  greeted,
  log,
  oneRound,
  startOutboxHouse,
  type OutboxHouse,
} from './support/outbox-house';

describe.each(BACKENDS)('with queues in %s', (backend, redisUrl) => {
  let house: OutboxHouse;
  let line: DatabaseLine;

  beforeEach(async () => {
    house = await startOutboxHouse(redisUrl, async (databaseUrl) => {
      line = await DatabaseLine.open(databaseUrl);
      return line.url;
    });
  });
  afterEach(async () => {
    await house.stop();
    await line.cut();
  });

  test('a job that loses the database has used no attempt', async () => {
    let runs = 0;
    house.beforeEffect = async () => {
      runs += 1;
      if (runs === 1) await line.cut();
    };
    house.startWorker();
    const id = await addWithOneTry();
    await until('the job has run', () => runs === 1);
    await expect(house.database.look()).rejects.toThrow();

    await line.restore();
    await until('the database is back', () =>
      house.database.look().then(
        () => true,
        () => false,
      ),
    );
    await house.until(id, 'completed');
    expect(house.effects).toEqual(['hola']);
  });

  // Queues in Postgres are unavailable with the database, so nothing can be taken from them.
  const onRedis = backend === 'Redis' ? test : test.skip;
  onRedis('a worker takes no jobs while its database is away', async () => {
    house.startWorker();
    const first = await house.append();
    await oneRound(createRelay(house.db, house.queues, log));
    await house.until(first, 'completed');
    await line.cut();
    await expect(house.database.look()).rejects.toThrow();
    let runs = 0;
    house.beforeEffect = async () => {
      runs += 1;
    };

    // The first one goes to the request for a job that was open; it is put back.
    const ids = [await addWithOneTry(), await addWithOneTry()];
    await until('both wait', async () => {
      const { waiting } = await house.queues.queue('accounts').getJobCounts('waiting');
      return waiting === ids.length;
    });
    expect(runs).toBe(0);

    await line.restore();
    await house.database.look();
    for (const id of ids) await house.until(id, 'completed');
    expect(runs).toBe(2);
  });

  /** A job that is dead after one try. */
  async function addWithOneTry(): Promise<string> {
    const id = crypto.randomUUID();
    await addJob(house.queues, 'accounts', {
      id,
      type: greeted.type,
      version: 1,
      occurredAt: new Date().toISOString(),
      aggregateId: id,
      aggregateVersion: 1,
      data: { text: 'hola' },
      producer: 'accounts',
      opts: { attempts: 1 },
    });
    return id;
  }
});
