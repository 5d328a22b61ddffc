import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../../test/support/tcp-proxy';
import { migration } from '../src/db/migration';
import { query } from '../src/db/query';
import type { Foundation, ServiceDefinition } from '../src/service';
import { ServiceConfig } from '../src/service-config';
import { asOwner } from '../src/testing/as-owner';
import { ops } from '../src/testing/callers';
import type { Call } from '../src/testing/call';
import { startTestService, type OtherProcess, type TestService } from '../src/testing/service';
import { until } from '../src/testing/until';

const INSTANCES = 3;
/** Of one instance at a time: more than its pool has connections. */
const REQUESTS = 20;
/** Answers of each instance, and the pause between them, while nothing changes. */
const LOOKS = 10;
const PAUSE_MS = 100;

/** Each request locks the only row of a table. */
const definition: ServiceDefinition<ServiceConfig, Foundation> = {
  name: 'accounts',
  schema: {
    name: 'fleet_test',
    migrations: [
      migration(
        'CreateRow1795478500000',
        'CREATE TABLE shared_row (id integer PRIMARY KEY); INSERT INTO shared_row VALUES (1)',
      ),
    ],
  },
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
          await query(db, 'SELECT FROM shared_row FOR UPDATE');
          res.json({});
        },
    },
  ],
  jobs: () => [],
  sendsTo: [],
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
    Array.from({ length: INSTANCES - 1 }, () => first.startOther({ POOL_SIZE: 2 })),
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

test('a locked row that more requests wait for than a pool has connections leaves the fleet ready', async () => {
  await asOwner(first.ownerUrl, async (owner) => {
    await owner.query('BEGIN');
    await owner.query('SELECT FROM fleet_test.shared_row FOR UPDATE');
    const waiting = fleet.flatMap((call) =>
      Array.from({ length: REQUESTS }, () => call(ops(), 'POST', '/v1/work')),
    );
    const isFull = ({ waitingCount }: { waitingCount: number }) => waitingCount > 0;
    await until('the pool is full', () => isFull(first.context.db.connection));
    const said: number[][] = [];
    while (isFull(first.context.db.connection)) {
      said.push(await readiness());
      await sleep(PAUSE_MS);
    }
    expect(said).not.toEqual([]);
    expect([...new Set(said.flat())]).toEqual([200]);
    await owner.query('ROLLBACK');
    await Promise.all(waiting);
  });
});
