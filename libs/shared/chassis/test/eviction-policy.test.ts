import { evictionPolicyIn } from '../src/jobs/open-redis';
import { createLogger, logConsole } from '../src/logger';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { sampleIn } from '../src/testing/metrics';
import {
  hasRedisServer,
  startRedisWithUsers,
  type RedisWithUsers,
} from '../src/testing/redis-server';
import { startTestService, type TestService } from '../src/testing/service';
import { TEST_TIMING } from '../src/testing/timing';
import { until } from '../src/testing/until';

const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'eviction_policy_test', migrations: [] },
  secrets: () => ({}),
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [],
  jobs: () => [],
  sendsTo: [],
  loops: () => [],
};

const hasRedis = hasRedisServer('its eviction policy is not tested');

let redis: RedisWithUsers;
let service: TestService<Foundation>;
const warn = jest.fn();

(hasRedis ? describe : describe.skip)('a Redis that evicts keys', () => {
  const before = { ...console };
  beforeAll(async () => {
    redis = await startRedisWithUsers();
    await setPolicy('allkeys-lru');
    const log = Object.assign(createLogger('test', 'silent'), { warn });
    logConsole(log);
    const config = { REDIS_URL: redis.urlOf('accounts'), QUEUE_PREFIX: 'fiado' };
    const timing = { ...TEST_TIMING, sample: 100 };
    service = await startTestService(definition, ServiceConfig, { config, log, timing });
  });
  afterAll(async () => {
    Object.assign(console, before);
    await service.stop();
    await redis.stop();
  });

  test('is used in a sandbox, with a warning and a gauge', async () => {
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('maxmemory-policy allkeys-lru'));
    await until('the policy is sampled', async () => (await gauge()) === 1);
  });

  test('is refused in production', async () => {
    await expect(service.startOther({ FIADO_MODE: 'production' })).rejects.toThrow('allkeys-lru');
  });

  test('makes BullMQ warn in the log, and not in plain text', async () => {
    await service.context.queues.queue('accounts').waitUntilReady();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('Eviction policy is allkeys-lru'));
  });

  test('is used in production once it evicts nothing', async () => {
    await setPolicy('noeviction');
    await until('the policy is sampled', async () => (await gauge()) === 0);
    const other = await service.startOther({ FIADO_MODE: 'production' });
    await other.stop();
  });
});

test.each([
  [['maxmemory:0\r\nmaxmemory_policy:noeviction\r\n'], 'noeviction'],
  [['maxmemory_policy:noeviction\r\n', 'maxmemory_policy:volatile-ttl\r\n'], 'volatile-ttl'],
  [['maxmemory_policy:noeviction\r\n', ''], 'unknown'],
  [['maxmemory:0\r\n', 'maxmemory_policy:allkeys-lru\r\n'], 'allkeys-lru'],
  [[], 'unknown'],
])('nodes that answer %j have the policy %s', (infos, policy) => {
  expect(evictionPolicyIn(infos)).toBe(policy);
});

function setPolicy(policy: string): Promise<unknown> {
  return redis.asUser('default', (client) => client.config('SET', 'maxmemory-policy', policy));
}

async function gauge(): Promise<number> {
  const { text } = await service.call(undefined, 'GET', '/metrics');
  return sampleIn(text, 'fiado_redis_evicts');
}
