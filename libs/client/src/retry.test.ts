import { FiadoError } from './errors';
import { pauseAfter } from './retry';
import { cut } from '../test/support/scripted-fetch';

it('pauses as long as the API says, at most 30 s; else random and growing', () => {
  const busy = (retryAfterSeconds?: number) =>
    new FiadoError({
      operation: 'getPayment',
      status: 503,
      code: 'X',
      message: '',
      retryAfterSeconds,
    });

  expect(pauseAfter(busy(7), 1)).toBe(7_000);
  expect(pauseAfter(busy(7_000), 1)).toBe(30_000);
  expect([1, 2, 3, 20].map((number) => pauseAfter(busy(), number, () => 1))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
  expect(pauseAfter(cut('ECONNRESET'), 1, () => 0.5)).toBe(250);
});
