import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process that a test started, and waits for its end. One that ended by itself is no error. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
