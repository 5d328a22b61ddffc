import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { environmentBeside } from '@fiado/chassis/testing/environment-beside';
import { testKeyVariables } from '@fiado/chassis/testing/process-keys';
import { RUN_SOURCES } from '@fiado/chassis/testing/run-sources';
import { TEST_ENVIRONMENT } from '@fiado/chassis/testing/service';
import { until } from '@fiado/chassis/testing/until';
import type { Notifier } from './notifier';

/** Runs the notifier in a process of its own, until it listens. */
export async function startNotifierProcess(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
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

/** Runs one in a process of its own, on the stores of one in this process. */
export function startProcessBeside(
  notifier: Notifier,
  env: Record<string, string>,
): Promise<ChildProcess> {
  return startNotifierProcess({
    ...environmentBeside('notifier', notifier.context.config),
    NOTIFIER_PORT: '0',
    ...env,
  });
}
