import { CodeWatch, type CodeCheckOutcome } from './code-watch';

let now = 0;
const clock = { now: () => new Date(now) };
const MINUTE_MS = 60_000;

function count(watch: CodeWatch, times: number, wholesaler: string, outcome: CodeCheckOutcome) {
  for (let n = 0; n < times; n += 1) watch.count(wholesaler, outcome);
}

it('names wholesalers with more wrong codes than right ones, from twenty on', () => {
  const watch = new CodeWatch(clock);
  count(watch, 25, 'guesses', 'wrong');
  count(watch, 24, 'guesses', 'right');
  count(watch, 19, 'few', 'wrong');
  count(watch, 25, 'busy', 'wrong');
  count(watch, 25, 'busy', 'right');
  count(watch, 20, 'locked', 'refused');

  expect(watch.suspicious()).toEqual(['guesses', 'locked']);
});

it('begins again after an hour', () => {
  const watch = new CodeWatch(clock);
  count(watch, 25, 'guesses', 'wrong');
  now += 59 * MINUTE_MS;
  expect(watch.suspicious()).toEqual(['guesses']);
  now += MINUTE_MS;
  watch.count('guesses', 'wrong');
  expect(watch.suspicious()).toEqual([]);
});
