import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RAW_OUTPUT } from './service-output';
import { ServiceProcess, type ServiceProcessOptions } from './service-process';

let folder: string;
let said: string[];
let service: ServiceProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-service-'));
  said = [];
});

afterEach(async () => {
  service.kill();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('ServiceProcess', () => {
  it('starts a dying process again, after pauses that double', async () => {
    await run('process.exit(7)');
    await saidCount(3);

    expect(said).toEqual([
      'accounts ended with code 7, restarting in 200 ms',
      'accounts ended with code 7, restarting in 400 ms',
      'accounts ended with code 7, restarting in 800 ms',
    ]);
  });

  it('kills a process that does not stop in time, and logs it', async () => {
    await run(`process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3);
      require("node:fs").writeFileSync(__dirname + "/ready", "")`);
    while (!existsSync(join(folder, 'ready'))) await pause(10);

    await service.stop();

    expect(said).toEqual(['accounts did not stop within 0.3 s and was killed']);
  });

  it('kills a process that does not serve in time and starts it again, but none that serves', async () => {
    const late = 'accounts does not serve after 1 s and was killed';
    await run('setInterval(() => {}, 1e3)', { startTimeoutMs: 1_000 });
    await saidCount(2);
    expect(said).toEqual([late, 'accounts was ended by SIGKILL, restarting in 200 ms']);
    service.kill();

    said = [];
    await run('process.send("serving"); setTimeout(() => process.exit(7), 1_500)', {
      startTimeoutMs: 1_000,
    });
    await saidCount(1);
    expect(said).toEqual(['accounts ended with code 7, restarting in 200 ms']);
  });

  it('a held process opens nothing until it is released, and the one after it is not held', async () => {
    const opens = (moment: string) =>
      `require("node:fs").writeFileSync(__dirname + "/opened", "${moment}"); process.exit(7)`;
    await run(
      `if (process.argv.includes("--held")) process.once("message", () => { ${opens('released')} });
       else { ${opens('at once')} }`,
      { isHeld: true, startTimeoutMs: 1_500 },
    );
    await pause(2_000); // longer than it may take to serve
    expect(said).toEqual([]);

    service.release();
    await saidCount(1);
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('released');
    await saidCount(2);
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('at once');
  });

  it('does not restart a service that was stopped during its backoff', async () => {
    await run('process.exit(7)');
    await saidCount(1);
    await service.stop();
    await pause(400);

    expect(said).toHaveLength(1);
  });

  it('reports a rejected configuration and does not restart', async () => {
    const refused = await run('process.exit(78)');
    while (refused.length === 0) await pause(10);

    expect(refused).toEqual(['accounts']);
    expect(said).toEqual([]);
  });

  it.each([
    ['limits the heap of a process', {}, 256],
    ['leaves the heap to NODE_OPTIONS', { NODE_OPTIONS: '--max-old-space-size=700' }, 700],
  ])('%s', async (_, env, mb) => {
    const limit = 'require("node:v8").getHeapStatistics().heap_size_limit / 2 ** 20';
    // An exit code holds a byte: the limit in steps of 10 MB.
    await run(`process.exit(Math.round(${limit} / 10))`, { env });
    await saidCount(1);

    const limitMb = 10 * Number(/code (\d+)/.exec(said[0] ?? '')?.[1]);
    expect(limitMb).toBeGreaterThan(mb - 10);
    expect(limitMb).toBeLessThan(mb + 70);
  });
});

async function run(
  program: string,
  options: Partial<ServiceProcessOptions> = {},
): Promise<string[]> {
  const script = join(folder, 'main.js');
  await writeFile(script, program);
  const refused: string[] = [];
  service = new ServiceProcess({
    name: 'accounts',
    script,
    env: {},
    say: (line) => said.push(line),
    output: RAW_OUTPUT,
    onRefused: (name) => refused.push(name),
    stopTimeoutMs: 300,
    startTimeoutMs: 60_000,
    ...options,
  });
  service.start();
  return refused;
}

async function saidCount(count: number): Promise<void> {
  while (said.length < count) await pause(10);
}
