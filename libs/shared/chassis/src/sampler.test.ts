import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from './logger';
import type { Loop } from './loop';
import { createGauge, metricsText } from './metrics';
import type { Queues } from './jobs/queues';
import { createSampler, queuesSample, type Sample } from './sampler';

/** Every sample is read within this time: its pause, and the deadline of a read that hangs. */
const A_WHILE_MS = 20_000;

const log = createLogger('sampler test', 'silent');
const depth = createGauge('fiado_test_depth', 'A gauge of this test', ['of']);
const plain = createGauge('fiado_test_plain', 'A gauge of this test without labels', []);

let running: Loop[];
beforeEach(() => {
  jest.useFakeTimers();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((loop) => loop.stop()));
  jest.useRealTimers();
});

function start(sample: Sample): void {
  const loop = createSampler(sample, log);
  running.push(loop);
  loop.start();
}

async function exported(pattern: RegExp): Promise<string[]> {
  return [...(await metricsText()).matchAll(pattern)].map(([line]) => line);
}

const ages = async (name: string): Promise<number[]> =>
  (
    await exported(new RegExp(`(?<=^fiado_sample_age_seconds\\{sample="${name}"\\} ).*$`, 'gm'))
  ).map(Number);

test('a gauge is absent before its first reading, and while it cannot be read', async () => {
  let read: Sample['read'] = () => Promise.reject(new Error('away'));
  start({ name: 'failing', read: () => read() });
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_.*$/gm)).toEqual([]);

  read = async () => [depth({ of: 'a' }, 1), depth({ of: 'b' }, 2), plain({}, 3)];
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_.*$/gm)).toEqual([
    'fiado_test_depth{of="a"} 1',
    'fiado_test_depth{of="b"} 2',
    'fiado_test_plain 3',
  ]);

  read = async () => [depth({ of: 'b' }, 4)];
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_.*$/gm)).toEqual(['fiado_test_depth{of="b"} 4']);

  read = () => Promise.reject(new Error('away'));
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_.*$/gm)).toEqual([]);
});

test('a hanging sample loses its gauges and delays no other', async () => {
  let hangs = false;
  start({
    name: 'hanging',
    read: () => (hangs ? new Promise(() => {}) : Promise.resolve([depth({ of: 'hanging' }, 1)])),
  });
  start({ name: 'healthy', read: async () => [depth({ of: 'healthy' }, 1)] });
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_depth.*$/gm)).toHaveLength(2);

  hangs = true;
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  expect(await exported(/^fiado_test_depth.*$/gm)).toEqual(['fiado_test_depth{of="healthy"} 1']);
});

test('the age of a sample grows while it cannot be read', async () => {
  let fails = false;
  const read = async () => {
    if (fails) throw new Error('away');
    return [];
  };
  start({ name: 'aging', read });
  await jest.advanceTimersByTimeAsync(A_WHILE_MS);
  const [fresh = NaN] = await ages('aging');
  expect(fresh).toBeLessThanOrEqual(10);

  fails = true;
  await jest.advanceTimersByTimeAsync(60_000);
  const [old = NaN] = await ages('aging');
  expect(old).toBeGreaterThanOrEqual(60);
});

test('a queue that cannot be read fails the sample, and not the process', async () => {
  jest.useRealTimers();
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  // As while a Redis Cluster replaces a master: the script of one queue fails, other answers are late.
  const sample = queuesSample(
    {
      ping: () => Promise.resolve(),
      countJobs: () => Promise.reject(new Error('Too many Cluster redirections')),
      evictionPolicy: () => sleep(20, 'noeviction'),
    } as unknown as Queues,
    ['notifier'],
  );
  await expect(sample.read()).rejects.toThrow('Too many Cluster redirections');
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
