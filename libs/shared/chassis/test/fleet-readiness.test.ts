import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../../test/support/tcp-proxy';
import { query } from '../src/db/query';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { ops } from '../src/testing/callers';
import type { Call } from '../src/testing/call';
import { startTestService, type OtherProcess, type TestService } from '../src/testing/service';
import { until } from '../src/testing/until';

const INSTANCES = 3;
/** Answers of each instance, and the pause between them, while nothing changes. */
const LOOKS = 10;
const PAUSE_MS = 100;

const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: { name: 'fleet_test', migrations: [] },
  createContext: (foundation) => foundation,
  closeContext: async () => {},
  routes: [
    {
      method: 'post',
      path: '/v1/work',
      allow: ['ops'],
      handler:
        ({ db }) =>
        async (_req, res) => {
          await query(db, 'SELECT pg_sleep(0.01)');
          res.json({});
        },
    },
  ],
  jobs: () => [],
  publishes: [],
  loops: () => [],
};

let line: TcpProxy;
let first: TestService<Foundation>;
let others: OtherProcess[];
let fleet: Call[];

beforeAll(async () => {
  line = await TcpProxy.start(1);
  first = await startTestService(definition, ServiceConfig, {
    through: (url) => {
      line.moveTo(url);
      return line.urlOf(url);
    },
  });
  others = await Promise.all(
    Array.from({ length: INSTANCES - 1 }, () => first.startOther({ POOL_SIZE: '2' })),
  );
  fleet = [first.call, ...others.map(({ call }) => call)];
});
afterAll(async () => {
  await Promise.all(others.map((other) => other.stop()));
  await first.stop();
  await line.stop();
});

const readiness = (): Promise<number[]> =>
  Promise.all(fleet.map(async (call) => (await call(undefined, 'GET', '/health/ready')).status));

/** What each instance says while nothing changes, with requests beside it; each answer once. */
async function saidMeanwhile(): Promise<number[][]> {
  const said = fleet.map(() => new Set<number>());
  for (let look = 0; look < LOOKS; look += 1) {
    const work = fleet.flatMap((call) => [1, 2, 3, 4].map(() => call(ops(), 'POST', '/v1/work')));
    (await readiness()).forEach((status, at) => said[at]?.add(status));
    await Promise.all(work);
    await sleep(PAUSE_MS);
  }
  return said.map((statuses) => [...statuses]);
}

const each = (status: number) => fleet.map(() => [status]);

test('a fleet whose database is unavailable is not ready, and ready when it is back, and nothing in between', async () => {
  expect(await saidMeanwhile()).toEqual(each(200));

  await line.stop();
  expect(await saidMeanwhile()).toEqual(each(503));

  await line.restore();
  await until('all are ready', async () => (await readiness()).every((status) => status === 200));
  expect(await saidMeanwhile()).toEqual(each(200));
});
