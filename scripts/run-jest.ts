import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs Jest once, with its output on this process' output.
 * @param args of `jest`
 * @param env the whole environment of the tests
 * @returns the exit code of Jest
 */
export function runJest(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runScript([require.resolve('jest/bin/jest'), ...args], env);
}

/** The same for a script that runs Jest. @param command its path and its arguments */
export async function runScript(command: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const tests = spawn(process.execPath, command, { stdio: 'inherit', env });
  // The terminal sends Ctrl-C to the tests too; a SIGTERM reaches this process alone.
  const passOn = (signal: NodeJS.Signals) => tests.kill(signal);
  process.on('SIGINT', passOn).on('SIGTERM', passOn);
  const [code] = (await once(tests, 'exit')) as [number | null];
  process.off('SIGINT', passOn).off('SIGTERM', passOn);
  return code ?? 1;
}
