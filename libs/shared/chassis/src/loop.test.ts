import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from './logger';
import { until } from './testing/until';
import { Loop, startInTurn } from './loop';

const log = createLogger('test', 'silent');

it('runs again at once while there is more, and when it is woken', async () => {
  let rounds = 0;
  const round = () => Promise.resolve((rounds += 1) < 3);
  const loop = new Loop(log, { name: 'l', everyMs: 60_000, round });
  loop.start();
  await sleep(20);
  expect(rounds).toBe(3);

  loop.wake();
  await sleep(20);
  expect(rounds).toBe(4);
  await loop.stop();
});

it('continues after a failed iteration', async () => {
  let rounds = 0;
  const round = () => {
    rounds += 1;
    return rounds === 1 ? Promise.reject(new Error('down')) : Promise.resolve();
  };
  const loop = new Loop(log, { name: 'l', everyMs: 10, round });
  loop.start();
  await sleep(60);
  await loop.stop();
  expect(rounds).toBeGreaterThan(1);
});

it('finishes its round before it stops, and begins no other', async () => {
  let finished = 0;
  const round = async () => {
    await sleep(30);
    finished += 1;
    return true;
  };
  const loop = new Loop(log, { name: 'l', everyMs: 10, round });
  loop.start();
  await sleep(5);
  await loop.stop();
  expect(finished).toBe(1);
});

it('a round in progress learns that the loop stops', async () => {
  let wasTold = false;
  const round = async (stopping: AbortSignal) => {
    await once(stopping, 'abort');
    wasTold = true;
  };
  const loop = new Loop(log, { name: 'l', everyMs: 60_000, round });
  loop.start();
  await loop.stop();
  expect(wasTold).toBe(true);
});

it('the first rounds of loops follow one another; one that hangs holds up none for long, and one that is woken waits for none', async () => {
  const began: string[] = [];
  let endFirst = (): void => {};
  let endHanging = (): void => {};
  const loopOf = (name: string, round: () => Promise<void>) =>
    new Loop(log, { name, everyMs: 60_000, round: () => (began.push(name), round()) });
  const loops = [
    loopOf('first', () => new Promise<void>((end) => (endFirst = end))),
    loopOf('second', async () => {}),
    loopOf('hangs', () => new Promise<void>((end) => (endHanging = end))),
    loopOf('last', async () => {}),
    loopOf('woken', async () => {}),
  ];
  startInTurn(loops);
  expect(began).toEqual(['first']);
  expect(loops.map(({ isRunning }) => isRunning)).toEqual(loops.map(() => true));
  loops.at(-1)?.wake();
  await Promise.resolve();
  endFirst();
  await until('all have begun', () => began.length === loops.length);
  expect(began).toEqual(['first', 'woken', 'second', 'hangs', 'last']);
  endHanging();
  await Promise.all(loops.map((loop) => loop.stop()));
});
