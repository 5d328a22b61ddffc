import { Lane } from './lanes/lane';
import { createLogger } from './logger';
import { Loop } from './loop';
import { metricsText } from './metrics';
import { stuckWork } from './progress';
import { until } from './testing/until';

const log = createLogger('test', 'silent');
const startedMs = performance.now();
const never = () => new Promise<never>(() => {});

afterEach(() => jest.useRealTimers());

/** Lets time pass for the clock of `performance`, and nothing else. */
function pass(ms: number): void {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + ms);
}
afterEach(() => jest.restoreAllMocks());

async function valueOf(metric: string, kind: string, name: string): Promise<number> {
  const line = (await metricsText())
    .split('\n')
    .find((one) => one.startsWith(`${metric}{kind="${kind}",name="${name}"}`));
  return Number(line?.split(' ').at(-1));
}

it('a loop whose round hangs is stalled, and one that rests is not', async () => {
  const hanging = new Loop(log, { name: 'hanging', everyMs: 10, round: never });
  const resting = new Loop(log, { name: 'resting', everyMs: 60_000, round: async () => {} });
  hanging.start();
  resting.start();
  await until(
    'a round ended',
    async () => (await valueOf('fiado_last_ended_age_seconds', 'loop', 'resting')) >= 0,
  );
  pass(200_000);
  expect(await valueOf('fiado_stalled_seconds', 'loop', 'hanging')).toBeGreaterThanOrEqual(200);
  expect(await valueOf('fiado_stalled_limit_seconds', 'loop', 'hanging')).toBe(120);
  expect(await valueOf('fiado_stalled_seconds', 'loop', 'resting')).toBe(0);
  expect(stuckWork(startedMs)).toEqual([]);
  await resting.stop();
});

it('a round that fails ends, and so does a loop that is stopped', async () => {
  const failing = new Loop(log, {
    name: 'failing',
    everyMs: 60_000,
    round: () => Promise.reject(new Error('no')),
  });
  failing.start();
  await until(
    'the round ended',
    async () => (await valueOf('fiado_last_ended_age_seconds', 'loop', 'failing')) >= 0,
  );
  pass(200_000);
  expect(await valueOf('fiado_stalled_seconds', 'loop', 'failing')).toBe(0);
  await failing.stop();
  expect(await metricsText()).not.toContain('name="failing"');
});

it('a lane whose batch hangs is stuck after 15 s, and one whose items are refused is not', async () => {
  const hanging = new Lane<string, never>({ name: 'hung', tenantOf: (item) => item, run: never });
  const refusing = new Lane<string, never>({
    name: 'refused',
    tenantOf: (item) => item,
    run: () => Promise.reject(new Error('Connection terminated')),
  });
  void hanging.add('a');
  await expect(refusing.add('a')).rejects.toThrow('Connection terminated');
  expect(stuckWork(startedMs)).toEqual([]);
  pass(15_001);
  expect(stuckWork(startedMs)).toEqual(['lane hung']);
});
