import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HELD, RELEASE, SERVING } from './process';
import { RUN_SOURCES } from './testing/run-sources';
import { until } from './testing/until';

/** A process whose start never ends, whatever it waits for. */
function startHanging(startDeadlineMs: number): ChildProcess {
  const program = `
    const { createLogger } = require(${JSON.stringify(require.resolve('./logger'))});
    const { runProcess } = require(${JSON.stringify(require.resolve('./process'))});
    const start = () => new Promise(() => setInterval(() => {}, 1_000));
    void runProcess({ log: createLogger('hanging', 'info'), start, startDeadlineMs: ${startDeadlineMs} });
    console.log('it starts');`;
  return spawn(process.execPath, [...RUN_SOURCES, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a process whose start hangs', () => {
  it('ends after the deadline of a start, and logs why', async () => {
    const hanging = startHanging(300);
    const [output, [code]] = await Promise.all([text(hanging.stdout!), once(hanging, 'exit')]);

    expect(code).toBe(1);
    expect(output).toContain('Starting took too long');
  });

  it('ends on SIGTERM', async () => {
    const hanging = startHanging(60_000);
    await once(hanging.stdout!, 'data');
    hanging.kill('SIGTERM');

    expect(await once(hanging, 'exit')).toEqual([0, null]);
  });
});

describe('a held process', () => {
  it('starts when it is released, and runs on after the deadline of a start', async () => {
    const program = `
      const { createLogger } = require(${JSON.stringify(require.resolve('./logger'))});
      const { runProcess } = require(${JSON.stringify(require.resolve('./process'))});
      void runProcess({
        log: createLogger('held', 'info'),
        load: async () => process.send('loaded'),
        start: async () => ({ close: async () => {} }),
        startDeadlineMs: 300,
      });`;
    const folder = mkdtempSync(join(tmpdir(), 'fiado-held-'));
    const script = join(folder, 'held.js');
    writeFileSync(script, program);
    const held = fork(script, [HELD], { execArgv: RUN_SOURCES, stdio: 'ignore' });
    const messages: unknown[] = [];
    held.on('message', (message) => messages.push(message));
    await until('it has loaded', () => messages.length === 1);
    await pause(600);
    expect(messages).toEqual(['loaded']);

    held.send(RELEASE);
    await until('it serves', () => messages.length === 2);
    await pause(600);
    expect([messages, held.exitCode]).toEqual([['loaded', SERVING], null]);
    held.kill('SIGTERM');
    await once(held, 'exit');
    rmSync(folder, { recursive: true });
  });
});
