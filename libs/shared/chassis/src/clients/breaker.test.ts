import { AppError } from '@fiado/contracts/errors';
import { Breaker } from './breaker';

let nowMs = 0;
let breaker: Breaker;
beforeEach(() => {
  nowMs = 5_000_000;
  breaker = new Breaker({ upstream: 'accounts', use: 'test', now: () => nowMs });
});

function end(outcome: 'answered' | 'failed', count: number): void {
  for (let i = 0; i < count; i += 1) breaker.start()(outcome);
}

/** Lets it open, and waits until it takes a trial. */
function openAndWait(): void {
  end('failed', 20);
  nowMs += 1_000;
}

it('opens when more than half of at least twenty calls failed', () => {
  end('answered', 10);
  end('failed', 10);
  expect(breaker.isOpen).toBe(false);
  end('failed', 1);
  expect(breaker.isOpen).toBe(true);
  expect(() => breaker.start()).toThrow(AppError);
});

it('stays closed with fewer than twenty calls, all of them failed', () => {
  end('failed', 19);
  expect(breaker.isClosed).toBe(true);
});

it('forgets calls that are older than its window', () => {
  end('failed', 19);
  nowMs += 10_000;
  end('failed', 19);
  expect(breaker.isClosed).toBe(true);
  nowMs += 5_000;
  end('failed', 1);
  expect(breaker.isOpen).toBe(true);
});

it('allows one call after a second, and closes when it is answered', () => {
  openAndWait();
  expect(breaker.isOpen).toBe(false);
  const settle = breaker.start();
  expect(breaker.isOpen).toBe(true);
  settle('answered');
  expect(breaker.isClosed).toBe(true);
  // What failed before is forgotten: it takes twenty calls to open again.
  end('failed', 19);
  expect(breaker.isClosed).toBe(true);
});

it('waits another second when the trial fails, and when it has no end', () => {
  openAndWait();
  breaker.start()('failed');
  expect(breaker.isOpen).toBe(true);
  nowMs += 1_000;
  breaker.start();
  expect(breaker.isOpen).toBe(true);
  nowMs += 1_000;
  expect(breaker.isOpen).toBe(false);
});

it('closes when no call came for as long as its window: a burst after that is let through as a whole', () => {
  openAndWait();
  nowMs += 8_999;
  breaker.start();
  expect(breaker.isOpen).toBe(true);
  nowMs += 9_999;
  expect(breaker.isClosed).toBe(false);
  nowMs += 1;
  expect(breaker.isClosed).toBe(true);
  const burst = Array.from({ length: 70 }, () => breaker.start());
  // It judges again by what it sees, from twenty calls on.
  for (const settle of burst.slice(0, 19)) settle('failed');
  expect(breaker.isClosed).toBe(true);
  burst[19]?.('failed');
  expect(breaker.isOpen).toBe(true);
});

it('a call that began before it opened neither closes it nor opens it again', () => {
  const early = [breaker.start(), breaker.start()];
  openAndWait();
  early[0]?.('answered');
  expect(breaker.isClosed).toBe(false);
  breaker.start()('answered');
  early[1]?.('failed');
  expect(breaker.isClosed).toBe(true);
});

it('counts only the first report of a call', () => {
  const settle = breaker.start();
  for (let i = 0; i < 30; i += 1) settle('failed');
  expect(breaker.isClosed).toBe(true);
});

it('run reports a rejection as failed and passes it on', async () => {
  const calls = Array.from({ length: 20 }, () =>
    breaker.run(() => Promise.reject(new Error('cut'))).catch((error: Error) => error.message),
  );
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['cut']));
  await expect(breaker.run(() => Promise.resolve(1))).rejects.toThrow(AppError);
  nowMs += 1_000;
  expect(await breaker.run(() => Promise.resolve(1))).toBe(1);
});

describe('a breaker around calls that must not be repeated', () => {
  beforeEach(() => {
    breaker = new Breaker({
      upstream: 'twilio',
      use: 'test',
      failuresInARow: 5,
      longestPauseMs: 60_000,
      now: () => nowMs,
    });
  });

  it('opens after five failures in a row, however many calls succeeded before', () => {
    end('answered', 1_000);
    end('failed', 4);
    end('answered', 1);
    end('failed', 4);
    expect(breaker.isClosed).toBe(true);
    end('failed', 1);
    expect(breaker.isOpen).toBe(true);
  });

  it('makes a trial after 1, 2, 4 … and at most 60 seconds, and after 1 again when it closed', () => {
    end('failed', 5);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      nowMs += seconds * 1_000 - 1;
      expect([seconds, breaker.isOpen]).toEqual([seconds, true]);
      nowMs += 1;
      expect([seconds, breaker.isOpen]).toEqual([seconds, false]);
      breaker.start()('failed');
    }
    nowMs += 600_000;
    breaker.start();
    expect(breaker.isOpen).toBe(true);
    nowMs += 60_000;
    breaker.start()('answered');
    end('failed', 5);
    nowMs += 1_000;
    expect(breaker.isOpen).toBe(false);
  });
});
