import { TcpProxy } from '../../../../test/support/tcp-proxy';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { createTestDatabase } from '../src/testing/database';
import { startTestService } from '../src/testing/service';
import { TEST_TIMING } from '../src/testing/timing';

/** A service that does nothing but stand on the chassis. */
const idle: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'queues_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

// A start waits half a minute for its queues: both at the same time.
it.concurrent('a service whose queues cannot be reached does not start', async () => {
  const starting = startTestService(idle, ServiceConfig, {
    // Only the queues in Postgres connect once.
    config: { REDIS_URL: '', QUEUES_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' },
  });

  await expect(starting).rejects.toThrow('ECONNREFUSED');
});

it.concurrent('a service whose queues accept one connection only does not start, and does not hang', async () => {
  const database = await createTestDatabase(idle.schema);
  const queuesUrl = database.environment.QUEUES_DATABASE_URL ?? '';
  // The first connection works, and is the one on which the worker listens.
  const proxy = await TcpProxy.start(queuesUrl, () => {
    proxy.setMode('silent');
    return () => undefined;
  });

  const starting = startTestService(idle, ServiceConfig, {
    config: { REDIS_URL: '', QUEUES_DATABASE_URL: proxy.urlOf(queuesUrl) },
    timing: { ...TEST_TIMING, connect: 5_000 },
  });

  await expect(starting).rejects.toThrow('connection timeout');
  await proxy.stop();
  await database.drop();
});
