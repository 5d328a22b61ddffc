import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';

/**
 * Runs Vitest once, with its output on this process' output.
 * @param args of `vitest run`
 * @param env the whole environment of the tests
 * @returns the exit code of Vitest
 */
export async function runVitest(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
  const tests = spawn(process.execPath, [vitest, 'run', ...args], { stdio: 'inherit', env });
  // The terminal sends Ctrl-C to the tests too; a SIGTERM reaches this process alone.
  const passOn = (signal: NodeJS.Signals) => tests.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  return code ?? 1;
}
