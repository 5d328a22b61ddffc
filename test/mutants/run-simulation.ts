import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Variables that choose the histories of the simulation. */
export type Histories = Record<string, string>;

export interface Run {
  passed: boolean;
  /** Histories that failed. */
  failures: number;
  /** What the simulation printed of the first history that failed. */
  failure: { seed: string; history: number } | undefined;
  output: string;
}

/** Starts the simulation of a copy of the repository. */
export function startSimulation(
  copy: string,
  databaseUrl: string,
  histories: Histories,
): ChildProcess {
  const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--selectProjects', 'simulation', '--testPathPatterns', 'simulation.test.ts'];
  return spawn(process.execPath, [jest, ...args], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      ...histories,
      SIMULATION_SHRINK: 'no',
      TEST_DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits until the simulation ends, or ends it after some time. */
export async function resultOf(child: ChildProcess, endsAfterMs?: number): Promise<Run> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let endedEarly = false;
  const end = (): void => void (endedEarly = child.kill());
  const deadline = endsAfterMs === undefined ? undefined : setTimeout(end, endsAfterMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(deadline);
  const [, seed, history] = /failed: seed (\d+), history (\d+)/.exec(output) ?? [];
  const failure = seed === undefined ? undefined : { seed, history: Number(history) };
  const passed = code === 0 || (endedEarly && failure === undefined);
  const failures = Number(/^Tests: +(\d+) failed/m.exec(output)?.[1] ?? 0);
  return { passed, failures, failure, output };
}
