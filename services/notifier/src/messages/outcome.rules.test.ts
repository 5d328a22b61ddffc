import { isAllowedCountry } from '@fiado/contracts/phone';
import { deliveryReportOf, failureClassOf, outcomeOf, type SmsFailure } from './outcome.rules';

describe('deliveryReportOf', () => {
  test.each([
    ['queued', undefined, { status: 'sent', reason: null }],
    ['sent', undefined, { status: 'sent', reason: null }],
    ['delivered', undefined, { status: 'delivered', reason: null }],
    ['undelivered', '30005', { status: 'failed', reason: '30005' }],
    ['failed', undefined, { status: 'failed', reason: 'FAILED' }],
    ['teleported', undefined, undefined],
    ['constructor', undefined, undefined],
  ])('%s with code %s', (status, code, report) => {
    expect(deliveryReportOf(status, code)).toEqual(report);
  });
});

test.each([
  ['30005', 'phone'],
  ['21610', 'phone'],
  ['63024', 'phone'],
  ['30007', 'content'],
  ['63049', 'content'],
  ['21656', 'content'],
  ['20003', 'account'],
  ['21910', 'account'],
  ['HTTP_401', 'account'],
  ['HTTP_404', 'account'],
  ['30008', 'other'],
  ['phone-cap', 'other'],
])('a failure for %s is a matter of: %s', (reason, name) => {
  expect(failureClassOf(reason)).toBe(name);
});

test.each([
  ['+525512341234', ['52'], true],
  ['+5025512341', ['52'], false],
  ['+573001234567', ['52', '57'], true],
  ['+15005550006', ['52'], false],
  ['525512341234', ['52'], false],
])('%s to one of %j: %s', (phone, codes, allowed) => {
  expect(isAllowedCountry(phone, codes)).toBe(allowed);
});

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
    ['401', answered(401), 'pending', 'HTTP_401'],
    ['401 with a code', answered(401, { providerCode: '20003' }), 'pending', '20003'],
    ['403', answered(403), 'pending', 'HTTP_403'],
    ['404', answered(404), 'pending', 'HTTP_404'],
    ['404 with a code', answered(404, { providerCode: '20404' }), 'pending', '20404'],
    ['403 with a code of the number', answered(403, { providerCode: '21610' }), 'failed', '21610'],
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
