import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@fiado/chassis/testing/until';
import { BESIDE_MS, CallerTurns, MAX_WAITING, PLACES, RECENT_BESIDE_OTHERS } from './caller-turns';

const DEADLINE_MS = 60_000;
/** Longer than any test. */
const RECENT_MS = 60_000;

let nowMs = 0;
const now = () => nowMs;
let responses: ServerResponse[] = [];
const response = (): ServerResponse => {
  const res = new EventEmitter() as ServerResponse;
  responses.push(res);
  return res;
};
afterEach(() => {
  for (const res of responses) res.emit('close');
  responses = [];
});

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
  const turns = new CallerTurns(() => 2, now, RECENT_MS);
  const all = fill(turns, 'a', 2 * PLACES);
  expect(turns.waiting).toBe(0);

  all.push(...fill(turns, 'a', 1));
  expect(turns.waiting).toBe(1);
  for (const res of all) res.emit('close');
  expect(turns.waiting).toBe(0);
});

it('a caller has fewer places while another one is there', () => {
  const turns = new CallerTurns(() => 1, now, RECENT_MS);
  const all = fill(turns, 'a', PLACES + 1);
  fill(turns, 'b', 1);

  for (const res of all.splice(0, PLACES - RECENT_BESIDE_OTHERS)) res.emit('close');
  expect(turns.waiting).toBe(1);
  all.shift()?.emit('close');
  expect(turns.waiting).toBe(0);

  fill(turns, 'b', RECENT_BESIDE_OTHERS);
  expect(turns.waiting).toBe(1);
  nowMs += BESIDE_MS;
  fill(turns, 'b', 1);
  expect(turns.waiting).toBe(1);
});

it('a request that finds too many of its caller waiting is refused, and one of another caller is not', () => {
  const turns = new CallerTurns(() => 1, now, RECENT_MS);
  fill(turns, 'a', PLACES + MAX_WAITING);

  expect(() => enter(turns, 'a')).toThrow(
    expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 1 }),
  );
  expect(enter(turns, 'b')).toBeUndefined();
});

it('requests that take long make room for others of their caller, up to its places', async () => {
  const turns = new CallerTurns(() => 1, now, 20);
  fill(turns, 'b', 1);
  const all = fill(turns, 'a', PLACES + 1);
  expect(turns.waiting).toBe(PLACES + 1 - RECENT_BESIDE_OTHERS);

  await until('others had their turn', () => turns.waiting === 1);
  await pause(50);
  expect(turns.waiting).toBe(1);
  all.shift()?.emit('close');
  expect(turns.waiting).toBe(0);
});
