import { outcomeOf, type SmsFailure } from './outcome';

const answered = (httpStatus: number, more: object = {}): SmsFailure => ({
  kind: 'answered',
  httpStatus,
  ...more,
});

describe('outcomeOf', () => {
  test.each([
    ['nothing was written', { kind: 'not-reached' } as const, 'pending', 'NOT_REACHED'],
    ['429', answered(429), 'pending', 'HTTP_429'],
    ['429 with a code', answered(429, { providerCode: '20429' }), 'pending', '20429'],
    [
      '429 with a code of another problem',
      answered(429, { providerCode: '63018' }),
      'failed',
      '63018',
    ],
    ['500 with a code', answered(500, { providerCode: '20500' }), 'unknown', '20500'],
    ['400 with a code', answered(400, { providerCode: '21211' }), 'failed', '21211'],
    ['401', answered(401), 'failed', 'HTTP_401'],
    ['404', answered(404), 'failed', 'HTTP_404'],
    ['a redirect', answered(307), 'unknown', 'HTTP_307'],
    ['500', answered(500), 'unknown', 'HTTP_500'],
    ['503 with Retry-After', answered(503, { retryAfterSeconds: 1 }), 'unknown', 'HTTP_503'],
    ['no answer', { kind: 'no-answer' } as const, 'unknown', 'NO_ANSWER'],
  ])('%s', (_title, failure, status, reason) => {
    expect(outcomeOf(failure, 1, 0.5)).toMatchObject({ status, reason });
  });

  test('the pause doubles, up to a minute, and is spread over its second half', () => {
    const pause = (attempt: number, random: number) =>
      outcomeOf({ kind: 'not-reached' }, attempt, random);
    expect(pause(1, 0)).toMatchObject({ retryInMs: 500 });
    expect(pause(1, 1)).toMatchObject({ retryInMs: 1_000 });
    expect(pause(4, 1)).toMatchObject({ retryInMs: 8_000 });
    expect(pause(1_000, 1)).toMatchObject({ retryInMs: 60_000 });
  });

  test('Retry-After is waited for, up to an hour, and never shortens the pause', () => {
    const pause = (retryAfterSeconds: number) =>
      outcomeOf(answered(429, { retryAfterSeconds }), 1, 1);
    expect(pause(7)).toMatchObject({ retryInMs: 7_000 });
    expect(pause(0.1)).toMatchObject({ retryInMs: 1_000 });
    expect(pause(1e12)).toMatchObject({ retryInMs: 3_600_000 });
  });
});
