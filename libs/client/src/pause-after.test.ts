import { cut } from '../test/support/scripted-fetch';
import { FiadoError } from './errors';
import { pauseAfter } from './send';

it('pauses as long as the API says; else random, growing to 30 s', () => {
  const busy = (retryAfterSeconds?: number) =>
    new FiadoError({
      operation: 'getPayment',
      status: 503,
      code: 'X',
      message: '',
      retryAfterSeconds,
    });

  expect(pauseAfter(busy(7), 1)).toBe(7_000);
  expect([1, 2, 3, 20].map((number) => pauseAfter(busy(), number, false, () => 1))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
  expect(pauseAfter(cut('ECONNRESET'), 1, false, () => 0.5)).toBe(250);
});

it('does not repeat after TOO_MANY_ATTEMPTS that names no time', () => {
  const usedUp = { operation: 'resendTransactionCode', status: 429, code: 'TOO_MANY_ATTEMPTS' };

  expect(pauseAfter(new FiadoError({ ...usedUp, message: '' }), 1)).toBeUndefined();
  expect(pauseAfter(new FiadoError({ ...usedUp, message: '', retryAfterSeconds: 3 }), 1)).toBe(
    3_000,
  );
});

it('repeats what must not happen twice only if the API refused it with 429', () => {
  const refused = (status: number) =>
    new FiadoError({ operation: 'createWholesaler', status, code: 'X', message: '' });

  expect(pauseAfter(refused(429), 1, true, () => 1)).toBe(500);
  for (const failure of [refused(503), cut('ECONNRESET')]) {
    expect(pauseAfter(failure, 1, true)).toBeUndefined();
  }
});
