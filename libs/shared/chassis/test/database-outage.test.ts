import { addJob } from '../src/testing/service';
import { until } from '../src/testing/until';
import { TcpProxy } from '../../../../test/support/tcp-proxy';
import {
  BACKENDS,
  greeted,
  startOutboxService,
  type OutboxService,
} from './support/outbox-service';

describe.each(BACKENDS)('with queues in %s', (backend, redisUrl) => {
  let service: OutboxService;
  let line: TcpProxy;

  beforeEach(async () => {
    service = await startOutboxService(redisUrl, async (databaseUrl) => {
      line = await TcpProxy.start(databaseUrl);
      return line.urlOf(databaseUrl);
    });
  });
  afterEach(async () => {
    await service.stop();
    await line.stop();
  });

  test('a job that loses the database has used no attempt', async () => {
    let runs = 0;
    service.beforeEffect = async () => {
      runs += 1;
      if (runs === 1) await line.stop();
    };
    service.startWorker();
    const id = await addWithOneTry();
    await until('the job has run', () => runs === 1);
    await expect(service.database.look()).rejects.toThrow();

    await line.restore();
    await until('the database is back', () =>
      service.database.look().then(
        () => true,
        () => false,
      ),
    );
    await service.until(id, 'completed');
    expect(service.effects).toEqual(['hola']);
  });

  // Queues in Postgres are unavailable with the database, so nothing can be taken from them.
  const onRedis = backend === 'Redis' ? test : test.skip;
  onRedis('a worker takes no jobs while its database is unavailable', async () => {
    service.startWorker();
    const first = await service.append();
    await service.relay();
    await service.until(first, 'completed');
    await line.stop();
    await expect(service.database.look()).rejects.toThrow();
    let runs = 0;
    service.beforeEffect = async () => {
      runs += 1;
    };

    // The first one goes to the request for a job that was open; it is put back.
    const ids = [await addWithOneTry(), await addWithOneTry()];
    await until('both wait', async () => {
      const { waiting } = await service.queues.queue('accounts').getJobCounts('waiting');
      return waiting === ids.length;
    });
    expect(runs).toBe(0);

    await line.restore();
    await service.database.look();
    for (const id of ids) await service.until(id, 'completed');
    expect(runs).toBe(2);
  });

  /** A job that is dead after one try. */
  async function addWithOneTry(): Promise<string> {
    const id = crypto.randomUUID();
    await addJob(service.queues, 'accounts', {
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
