import { judgeUnknownNumber } from './phone-limits.rules';

const now = new Date('2027-01-20T16:00:00Z');
const aMinuteAgo = new Date('2027-01-20T15:59:00Z');
const tenMinutesAgo = new Date('2027-01-20T15:50:00Z');

test.each([
  ['the first one', { sent: 0, confirmed: 0, lastSentAt: null }, 'sent'],
  ['one within the unproven share', { sent: 99, confirmed: 0, lastSentAt: aMinuteAgo }, 'sent'],
  [
    'one beyond it without codes that came back',
    { sent: 100, confirmed: 9, lastSentAt: aMinuteAgo },
    'low-conversion',
  ],
  ['one beyond it with them', { sent: 100, confirmed: 10, lastSentAt: aMinuteAgo }, 'sent'],
  [
    'one in the life of a code, whatever came back',
    { sent: 100, confirmed: 0, lastSentAt: tenMinutesAgo },
    'sent',
  ],
  ['one past the limit', { sent: 1_000, confirmed: 900, lastSentAt: tenMinutesAgo }, 'over-limit'],
])('judges %s', (_what, use, verdict) => {
  expect(judgeUnknownNumber({ ...use, now }, 1_000)).toBe(verdict);
});

test('a limit of 0 lets none through', () => {
  const use = { sent: 0, confirmed: 0, lastSentAt: null, now };
  expect(judgeUnknownNumber(use, 0)).toBe('over-limit');
});
