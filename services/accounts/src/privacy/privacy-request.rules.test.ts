import { dueAt, effectOf } from './privacy-request.rules';

const ANSWER = { days: 20, timeZone: 'America/Mexico_City' };
const NOW = new Date('2026-11-24T18:00:00Z');
const later = new Date('2026-12-23T05:59:59.999Z');
const open = {
  kind: 'rectification',
  status: 'open',
  answerDueAt: later,
  answerExtended: false,
  executionDueAt: null,
  executionExtended: false,
} as const;
const executing = {
  ...open,
  status: 'executing',
  answerExtended: true,
  executionDueAt: later,
} as const;

// By hand: over 16 September, and over Christmas, New Year and 1 February.
it.each([
  ['2026-09-01T14:00:00Z', false, '2026-10-01T05:59:59.999Z'],
  ['2026-09-01T14:00:00Z', true, '2026-10-29T05:59:59.999Z'],
  ['2026-12-19T00:00:00Z', false, '2027-01-20T05:59:59.999Z'],
  ['2026-12-19T00:00:00Z', true, '2027-02-18T05:59:59.999Z'],
])('a request of %s, extended: %s, is answered by %s', (received, isExtended, due) => {
  expect(dueAt(new Date(received), isExtended, ANSWER).toISOString()).toBe(due);
});

it.each([
  ['open', open, 'granted', 'settles'],
  ['open', open, 'refused', 'settles'],
  ['open', open, 'extended', 'extends-answer'],
  ['open and extended', { ...open, answerExtended: true }, 'extended', undefined],
  ['open and late', { ...open, answerDueAt: new Date(0) }, 'extended', undefined],
  ['executing', executing, 'granted', undefined],
  ['executing', executing, 'refused', undefined],
  ['an access whose copy is not made', { ...executing, kind: 'access' }, 'refused', 'settles'],
  ['executing', executing, 'extended', 'extends-execution'],
  ['executing and extended', { ...executing, executionExtended: true }, 'extended', undefined],
  ['done', { ...executing, status: 'done' }, 'extended', undefined],
  ['refused', { ...open, status: 'refused' }, 'granted', undefined],
] as const)('a request that is %s', (_what, request, answer, effect) => {
  expect(effectOf(request, answer, NOW)).toBe(effect);
});
