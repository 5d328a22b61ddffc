import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  BESIDE_MS,
  CallerTurns,
  MAX_WAITING,
  PLACES_ALONE,
  PLACES_BESIDE_OTHERS,
} from './caller-turns';

const DEADLINE_MS = 60_000;

let nowMs = 0;
const now = () => nowMs;
const response = (): ServerResponse => new EventEmitter() as ServerResponse;
const enter = (turns: CallerTurns, caller: string, res = response()) =>
  turns.enter({ caller, kind: 'writes' }, res, DEADLINE_MS);

/** Requests of a caller that never end by themselves. */
function fill(turns: CallerTurns, caller: string, count: number): ServerResponse[] {
  return Array.from({ length: count }, () => {
    const res = response();
    void enter(turns, caller, res);
    return res;
  });
}

it('a service of two instances works on twice as many requests of a caller', () => {
  const turns = new CallerTurns(() => 2, now);
  const all = fill(turns, 'a', 2 * PLACES_ALONE);
  expect(turns.waiting).toBe(0);

  all.push(...fill(turns, 'a', 1));
  expect(turns.waiting).toBe(1);
  for (const res of all) res.emit('close');
  expect(turns.waiting).toBe(0);
});

it('a caller has fewer places while another one is there', () => {
  const turns = new CallerTurns(() => 1, now);
  const all = fill(turns, 'a', PLACES_ALONE + 1);
  fill(turns, 'b', 1);

  for (const res of all.splice(0, PLACES_ALONE - PLACES_BESIDE_OTHERS)) res.emit('close');
  expect(turns.waiting).toBe(1);
  all.shift()?.emit('close');
  expect(turns.waiting).toBe(0);

  fill(turns, 'b', PLACES_BESIDE_OTHERS);
  expect(turns.waiting).toBe(1);
  nowMs += BESIDE_MS;
  fill(turns, 'b', 1);
  expect(turns.waiting).toBe(1);
});

it('a request that finds too many of its caller waiting is refused, and one of another caller is not', () => {
  const turns = new CallerTurns(() => 1, now);
  const all = fill(turns, 'a', PLACES_ALONE + MAX_WAITING);

  expect(() => enter(turns, 'a')).toThrow(
    expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 1 }),
  );
  expect(enter(turns, 'b')).toBeUndefined();
  for (const res of all.toReversed()) res.emit('close');
});
