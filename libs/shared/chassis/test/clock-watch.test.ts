import { setTimeout as sleep } from 'node:timers/promises';
import { metricsText } from '../src/metrics';
import { BACKENDS, startOutboxService, type OutboxService } from './support/outbox-service';

const HOUR_MS = 3_600_000;
/** A worker that takes jobs has taken one long before. */
const LONG_ENOUGH_MS = 500;

describe.each(BACKENDS)('with queues in %s', (_name, redisUrl) => {
  let service: OutboxService;
  beforeEach(async () => {
    service = await startOutboxService(redisUrl);
  });
  afterEach(() => service.stop());

  test.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])(
    'a worker does no jobs while its clock is an hour %s, and continues afterwards',
    async (_, turn) => {
      service.startWorker();
      await sleep(LONG_ENOUGH_MS); // it asks for a job: one more comes although it is paused
      service.clockTurnMs = turn;

      await service.clock.look();
      expect(() => service.clock.check()).toThrow('The clock differs from the database');
      expect(await metricsText()).toMatch(
        /fiado_clock_skew_seconds\{service="accounts"\} -?3\d{3}/,
      );
      const id = await service.append();
      await service.relay();
      await sleep(LONG_ENOUGH_MS);
      expect(await service.queues.outcomeOf('accounts', id)).toEqual({ state: 'pending' });

      service.clockTurnMs = 0;
      await service.clock.look();
      expect(() => service.clock.check()).not.toThrow();
      await service.until(id, 'completed');
      expect(service.effects).toHaveLength(1);
    },
  );

  test('a clock is compared with the database when it jumps, and else only now and then', async () => {
    await service.clock.lookIfDue();
    const asked = jest.spyOn(service.db.connection, 'query');
    await service.clock.lookIfDue();
    expect(asked).not.toHaveBeenCalled();

    service.clockTurnMs = HOUR_MS;
    await service.clock.lookIfDue();
    expect(() => service.clock.check()).toThrow();
    service.clockTurnMs = 0;
    await service.clock.lookIfDue();
    expect(() => service.clock.check()).not.toThrow();
    asked.mockRestore();
  });

  test('a clock that is off by less than locks can feel is good enough', async () => {
    service.startWorker();
    service.clockTurnMs = 3_000;
    await service.clock.look();
    expect(() => service.clock.check()).not.toThrow();
  });
});
