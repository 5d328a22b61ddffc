import { decisionOf, MAX_ATTEMPTS } from './delivery.rules';

const now = Date.parse('2027-01-20T16:00:00Z');
const at = (attempt: number, random = 0.5) => ({ attempt, now, random });

it('a 2xx is delivered', () => {
  expect(decisionOf({ status: 204 }, at(1))).toEqual({ status: 'delivered' });
});

it('everything else is retried for a day, then failed', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS }, (_, index) =>
    decisionOf({ status: index % 2 === 0 ? 500 : null }, at(index + 1)),
  );
  expect(pauses.at(-1)).toEqual({ status: 'failed' });
  expect(pauses.slice(0, -1)).toEqual(
    [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((retryInSeconds) => ({
      status: 'pending',
      retryInSeconds,
    })),
  );
  expect(decisionOf({ status: 302 }, at(1)).status).toBe('pending');
});

it('a pause varies by a tenth', () => {
  expect(decisionOf({ status: 500 }, at(2, 0))).toMatchObject({ retryInSeconds: 270 });
  expect(decisionOf({ status: 500 }, at(2, 1))).toMatchObject({ retryInSeconds: 330 });
});

it.each([
  ['60', 60],
  ['86400', 3_600],
  ['Wed, 20 Jan 2027 16:02:00 GMT', 120],
  ['1', 5],
  ['soon', 5],
  ['-5', 5],
])('Retry-After %s is respected up to an hour, never below the pause', (retryAfter, seconds) => {
  expect(decisionOf({ status: 503, retryAfter }, at(1))).toEqual({
    status: 'pending',
    retryInSeconds: seconds,
  });
});

it('410 and the receiver’s own word end it', () => {
  expect(decisionOf({ status: 410 }, at(1))).toEqual({ status: 'failed', disables: 'gone' });
  expect(decisionOf({ status: 200, directive: 'disable' }, at(1))).toEqual({
    status: 'failed',
    disables: 'asked',
  });
  expect(decisionOf({ status: 500, directive: 'abort-message' }, at(1))).toEqual({
    status: 'aborted',
  });
});
