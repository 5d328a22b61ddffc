import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { service, wholesaler } from '../testing/callers';
import { takePlace } from './body';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function response(): Response {
  return Object.assign(new EventEmitter(), { closed: false }) as unknown as Response;
}

it('a request that has no place after four seconds is refused', async () => {
  const caller = wholesaler();
  const first = response();
  await takePlace(caller, first);
  await takePlace(caller, response());
  const third = takePlace(caller, response());
  const refused = expect(third).rejects.toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfterSeconds: 2,
  });
  await jest.advanceTimersByTimeAsync(4_000);
  await refused;

  // The slot of the first goes to the next request, not to the refused one.
  first.emit('close');
  await takePlace(caller, response());
});

it('a free slot goes to the next waiting request', async () => {
  const caller = wholesaler();
  const [first, left] = [response(), response()];
  await takePlace(caller, first);
  await takePlace(caller, response());
  void takePlace(caller, left);
  const fourth = takePlace(caller, response());
  left.emit('close');
  first.emit('close');
  await fourth;
});

it('requests of services do not wait', async () => {
  for (let asked = 0; asked < 5; asked += 1) await takePlace(service('transactions'), response());
});
