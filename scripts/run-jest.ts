import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs Jest once, with its output on this process' output.
 * @param args of `jest`
 * @param env the whole environment of the tests
 * @returns the exit code of Jest
 */
export async function runJest(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const jest = require.resolve('jest/bin/jest');
  const tests = spawn(process.execPath, [jest, ...args], { stdio: 'inherit', env });
  // The terminal sends Ctrl-C to the tests too; a SIGTERM reaches this process alone.
  const passOn = (signal: NodeJS.Signals) => tests.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  return code ?? 1;
}
