import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { startTestService } from '../src/testing/service';

/** A service that does nothing but stand on the chassis. */
const idle: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'queues_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [],
  jobs: () => [],
  publishes: [],
  loops: () => [],
};

it('a service whose queues cannot be reached does not start', async () => {
  const starting = startTestService(idle, ServiceConfig, {
    // Only the queues in Postgres connect once.
    config: { REDIS_URL: '', QUEUES_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' },
  });

  await expect(starting).rejects.toThrow('ECONNREFUSED');
});
