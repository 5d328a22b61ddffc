import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';

/** Runs the notifier in a process of its own, until it listens. */
export async function startNotifierProcess(env: Record<string, string>): Promise<ChildProcess> {
  const notifier = spawn(process.execPath, [...RUN_SOURCES, join(__dirname, '../../src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      ...TEST_ENVIRONMENT,
      ...testKeyVariables('notifier'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  notifier.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await until('the notifier listens', () => printed.includes('listening'));
  return notifier;
}
