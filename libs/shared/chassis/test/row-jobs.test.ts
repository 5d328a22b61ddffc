import { randomUUID } from 'node:crypto';
import { Database } from '../src/db/database';
import { query, queryOne } from '../src/db/query';
import { createLogger } from '../src/logger';
import { claimRows, recordFailure } from '../src/row-jobs/claim-rows.sql';
import { countDeadRows, findDeadRows, retryDeadRows } from '../src/row-jobs/dead-rows';
import { RowWorker } from '../src/row-jobs/row-worker';
import { createTestDatabase, type TestDatabase } from '../src/testing/database';
import { CREATE_PARCELS, parcels } from '../src/testing/parcels';
import { until } from '../src/testing/until';

const log = createLogger('row jobs test', process.env.LOG_LEVEL ?? 'silent');

let database: TestDatabase;
let db: Database;
/** Whether the process takes no jobs. */
const gate = { isShut: false };
const workers: RowWorker[] = [];

beforeAll(async () => {
  const schema = { name: 'row_jobs_test', baseline: CREATE_PARCELS, migrations: [] };
  database = await createTestDatabase(schema);
  db = Database.open({ name: 'row_jobs_test' }, database.connection, () => {});
});
beforeEach(() => query(db, 'DELETE FROM parcels'));
afterEach(() => stopAll());
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Rows that a test holds in work, in the order in which they began. */
const begun: string[] = [];
const ends = new Map<string, () => void>();

async function stopAll(): Promise<void> {
  const stopped = workers.map(async (worker) => {
    await worker.loop.stop();
    await worker.close();
  });
  for (const end of ends.values()) end();
  await Promise.all(stopped);
  workers.length = 0;
  begun.length = 0;
  ends.clear();
}

function start(work: (id: string) => Promise<void>): RowWorker {
  const worker = new RowWorker({ service: 'payments', db, gate, log }, parcels, work);
  workers.push(worker);
  worker.loop.start();
  return worker;
}

const send = async (id: string): Promise<void> => {
  await query(db, 'UPDATE parcels SET sent = true WHERE id = $1', [id]);
};

/** Works on a row until the test ends it. */
const sendWhenToldTo = async (id: string): Promise<void> => {
  begun.push(id);
  await new Promise<void>((resolve) => ends.set(id, resolve));
  await send(id);
};

/** Parcels that were handed over one after the other. */
async function hand(sender: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await query(db, 'INSERT INTO parcels (id, sender) VALUES ($1, $2)', [id, sender]);
  }
  return ids;
}

interface Parcel {
  sent: boolean;
  attempts: number;
  lastError: string | null;
  isDead: boolean;
}

const parcel = (id: string): Promise<Parcel> =>
  queryOne<Parcel>(
    db,
    'SELECT sent, attempts, last_error, dead_at IS NOT NULL AS "isDead" FROM parcels WHERE id = $1',
    [id],
  );

const untilSent = (ids: string[]) =>
  until('all are sent', async () => {
    const left = await query(db, 'SELECT FROM parcels WHERE id = ANY($1) AND NOT sent', [ids]);
    return left.length === 0;
  });

/** Ends the pauses between attempts. */
async function hurry(): Promise<void> {
  await query(db, 'UPDATE parcels SET next_attempt_at = now() WHERE NOT sent');
  for (const { loop } of workers) loop.wake();
}

describe('rows of tenants', () => {
  it('a row of another tenant is begun while one tenant floods and none of its rows ends', async () => {
    const [flood, other] = [randomUUID(), randomUUID()];
    const many = await hand(flood, 100);
    const worker = start(sendWhenToldTo);
    await until('the flood has its places', () => begun.length === 3);
    expect(begun).toEqual(many.slice(0, 3));

    const [one = ''] = await hand(other, 1);
    worker.wake(other);
    await until('the other is begun', () => begun.length === 4);
    expect(begun.at(-1)).toBe(one);
  });

  it('a free place is for the tenant with fewer rows in work, whose row is not the oldest', async () => {
    const [flood, other] = [randomUUID(), randomUUID()];
    const many = await hand(flood, 100);
    const worker = start(sendWhenToldTo);
    await until('the flood has its places', () => begun.length === 3);
    const [first = '', second = ''] = await hand(other, 2);
    worker.wake(other);
    await until('the other is begun', () => begun.includes(first));
    ends.get(many[0] ?? '')?.();
    await until('a place was free', () => begun.length === 5);
    expect(begun.at(-1)).toBe(second);
  });

  it('all rows of a flood are done without a further wake-up', async () => {
    const ids = [...(await hand(randomUUID(), 60)), ...(await hand(randomUUID(), 3))];
    const wakes = jest.spyOn(start(send).loop, 'wake');
    await untilSent(ids);
    // By the worker itself, each time that a place was free again: four rows leave in a round at most.
    expect(wakes.mock.calls.length).toBeGreaterThanOrEqual(60 / 4);
  });
});

it('a row that is left while its tenant has all its places is begun when one of them is free', async () => {
  const sender = randomUUID();
  const early = await hand(sender, 3);
  const worker = start(sendWhenToldTo);
  await until('the places are taken', () => begun.length === 3);
  const [late = ''] = await hand(sender, 1);
  const rounds = jest.spyOn(worker.loop, 'wake');
  worker.wake(sender);
  // A round would find no place.
  expect(rounds).not.toHaveBeenCalled();
  ends.get(early[1] ?? '')?.();
  await until('it is begun', () => begun.length === 4);
  expect(begun.at(-1)).toBe(late);
});

it('two processes do each row once', async () => {
  const ids = (await Promise.all([1, 2, 3].map(() => hand(randomUUID(), 20)))).flat();
  const done: string[] = [];
  const work = async (id: string): Promise<void> => {
    done.push(id);
    await send(id);
  };
  start(work);
  start(work);
  await untilSent(ids);
  expect(done.toSorted()).toEqual(ids.toSorted());
  const attempts = await query<{ attempts: number }>(db, 'SELECT DISTINCT attempts FROM parcels');
  expect(attempts).toEqual([{ attempts: 1 }]);
});

describe('a row that fails', () => {
  it('is a dead letter after eight attempts, while others are done, and done once ops retries it', async () => {
    const sender = randomUUID();
    const [poisoned = '', ...others] = await hand(sender, 10);
    let isPoisoned = true;
    start((id) =>
      isPoisoned && id === poisoned ? Promise.reject(new Error('a torn label')) : send(id),
    );
    await untilSent(others);
    expect(await parcel(poisoned)).toMatchObject({ sent: false, isDead: false });
    await until('it is dead', async () => {
      await hurry();
      return (await parcel(poisoned)).isDead;
    });
    expect(await parcel(poisoned)).toMatchObject({ attempts: 8, lastError: 'a torn label' });
    await untilSent(await hand(sender, 1));

    const dead = await findDeadRows(db, [parcels], { start: 0, count: 10 });
    expect(dead).toEqual([
      {
        jobId: poisoned,
        type: 'send-parcel',
        attempts: 8,
        failedReason: 'a torn label',
        createdAt: expect.any(String),
        failedAt: expect.any(String),
      },
    ]);
    expect(await countDeadRows(db, parcels)).toBe(1);
    expect(await findDeadRows(db, [parcels], { start: 1, count: 10 })).toEqual([]);

    isPoisoned = false;
    expect(await retryDeadRows(db, [parcels], { type: 'other' })).toEqual([]);
    expect(await retryDeadRows(db, [parcels], { jobId: randomUUID() })).toEqual([]);
    expect(await retryDeadRows(db, [parcels], { jobId: poisoned })).toMatchObject([
      { jobId: poisoned, type: 'send-parcel' },
    ]);
    await untilSent([poisoned]);
    expect(await countDeadRows(db, parcels)).toBe(0);
  });

  it('waits twice as long after each attempt', async () => {
    await hand(randomUUID(), 1);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await hurry();
      const [row] = await claimRows(db, parcels, { free: 1, perTenant: 1, busy: new Map() });
      if (row === undefined) throw new Error('Nothing was claimed');
      await db.transaction(async (tx) => {
        await recordFailure(tx, parcels, row, new Error('no driver'));
        const { pause } = await queryOne<{ pause: number }>(
          tx,
          'SELECT EXTRACT(EPOCH FROM next_attempt_at - now())::float8 AS pause FROM parcels',
        );
        pauses.push(pause);
      });
    }
    expect(pauses).toEqual([0.5, 1, 2, 4]);
  });

  it('an outage of the database uses none of its attempts', async () => {
    const [id = ''] = await hand(randomUUID(), 1);
    let outages = 20;
    const worker = start((row) => {
      if (outages === 0) return send(row);
      outages -= 1;
      worker.loop.wake();
      return Promise.reject(Object.assign(new Error('shutting down'), { code: '57P01' }));
    });
    await until('it is sent', async () => {
      worker.loop.wake();
      return (await parcel(id)).sent;
    });
    expect(await parcel(id)).toMatchObject({ attempts: 1, lastError: null, isDead: false });
  });
});

describe('a process that is killed', () => {
  it('leaves its rows to the others when their claim lapses', async () => {
    const [id = ''] = await hand(randomUUID(), 1);
    await query(
      db,
      `UPDATE parcels SET attempts = 1, next_attempt_at = now() + interval '2 seconds'`,
    );
    start(send);
    await untilSent([id]);
    expect(await parcel(id)).toMatchObject({ attempts: 2 });
  });

  it('by each attempt at a row makes that row a dead letter, and nobody works on it again', async () => {
    const [id = '', other = ''] = await hand(randomUUID(), 2);
    await query(db, 'UPDATE parcels SET attempts = 8 WHERE id = $1', [id]);
    const done: string[] = [];
    start(async (row) => {
      done.push(row);
      await send(row);
    });
    await untilSent([other]);
    await until('it is dead', async () => (await parcel(id)).isDead);
    expect(await parcel(id)).toMatchObject({
      attempts: 8,
      lastError: 'Its process ended during each attempt',
    });
    expect(done).toEqual([other]);
  });
});

it('a process that takes no jobs, for its clock is wrong, claims no row', async () => {
  const [id = ''] = await hand(randomUUID(), 1);
  gate.isShut = true;
  // Its stop waits for the first round.
  await start(send).loop.stop();
  expect(await parcel(id)).toMatchObject({ sent: false, attempts: 0 });

  gate.isShut = false;
  start(send);
  await untilSent([id]);
});

it('a stop waits for the rows in work', async () => {
  const [id = ''] = await hand(randomUUID(), 1);
  const worker = start(sendWhenToldTo);
  await until('it is begun', () => begun.length === 1);
  await worker.loop.stop();
  let isClosed = false;
  const closing = worker.close().then(() => {
    isClosed = true;
  });
  await query(db, 'SELECT 1');
  expect(isClosed).toBe(false);
  ends.get(id)?.();
  await closing;
  expect(await parcel(id)).toMatchObject({ sent: true });
});
