import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { RUN_SOURCES } from './testing/run-sources';

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
