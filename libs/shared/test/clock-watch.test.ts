import { setTimeout as sleep } from 'node:timers/promises';
import { poolOf } from '../src/chassis/db/data-source';
import { metricsText } from '../src/chassis/metrics';
import { createRelay } from '../src/chassis/outbox/relay';
import {
  BACKENDS,
  log,
  oneRound,
  startOutboxHouse,
  type OutboxHouse,
} from './support/outbox-house';

const HOUR_MS = 3_600_000;
/** A worker that takes jobs has taken one long before. */
const LONG_ENOUGH_MS = 500;

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let house: OutboxHouse;
  beforeEach(async () => {
    house = await startOutboxHouse(redisUrl);
  });
  afterEach(() => house.stop());

  test.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])('a worker does no jobs while its clock is an hour %s, and then goes on', async (_, turn) => {
    house.startWorker();
    await sleep(LONG_ENOUGH_MS); // it asks for a job: one more comes although it is paused
    house.clockTurnMs = turn;

    await house.clock.look();
    expect(() => house.clock.check()).toThrow('The clock differs from the database');
    expect(await metricsText()).toMatch(/fiado_clock_skew_seconds\{service="accounts"\} -?3\d{3}/);
    const id = await house.append();
    await oneRound(createRelay(house.db, house.queues, log));
    await sleep(LONG_ENOUGH_MS);
    expect(await house.queues.outcomeOf('accounts', id)).toEqual({ state: 'pending' });

    house.clockTurnMs = 0;
    await house.clock.look();
    expect(() => house.clock.check()).not.toThrow();
    await house.until(id, 'completed');
    expect(house.effects).toHaveLength(1);
  });

  test('a clock is compared with the database when it jumps, and else only now and then', async () => {
    await house.clock.lookIfDue();
    const asked = vi.spyOn(poolOf(house.db), 'query');
    await house.clock.lookIfDue();
    expect(asked).not.toHaveBeenCalled();

    house.clockTurnMs = HOUR_MS;
    await house.clock.lookIfDue();
    expect(() => house.clock.check()).toThrow();
    house.clockTurnMs = 0;
    await house.clock.lookIfDue();
    expect(() => house.clock.check()).not.toThrow();
    asked.mockRestore();
  });

  test('a clock that is off by less than locks can feel is good enough', async () => {
    house.startWorker();
    house.clockTurnMs = 3_000;
    await house.clock.look();
    expect(() => house.clock.check()).not.toThrow();
  });
});
