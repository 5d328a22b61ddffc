import { monthOf } from './month';

it.each([
  ['the last one that is over', '', '2026-03-15', ['2026-02-01', '2026-02-28'] as const],
  ['January after New Year', '', '2027-02-01', ['2027-01-01', '2027-01-31'] as const],
  ['an earlier one', '2024-02', '2026-03-15', ['2024-02-01', '2024-02-29'] as const],
  ['this one, up to yesterday', '2026-03', '2026-03-15', ['2026-03-01', '2026-03-14'] as const],
  ['one to come, which is none', '2026-04', '2026-03-15', ['2026-02-01', '2026-02-28'] as const],
  ['a word, which is none', 'ayer', '2026-03-15', ['2026-02-01', '2026-02-28'] as const],
])('the month of the close is %s', (_, asked, today, [from, to]) => {
  expect(monthOf(asked, new Date(`${today}T18:00:00Z`))).toEqual({
    name: from.slice(0, 7),
    from,
    to,
  });
});
