import { spawn } from 'node:child_process';

/** The operating system's user that the server runs as. */
export interface OsUser {
  uid: number;
  gid: number;
}

export interface RunOptions {
  timeoutMs: number;
  user?: OsUser | undefined;
  cwd?: string;
}

/** Lines of output that an error carries. */
const TAIL_LINES = 15;

/**
 * Environment of the database's programs: nothing of ours leaks into it, and LC_ALL=C makes the
 * server speak English, which the start reads.
 */
export const SERVER_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/** Runs a program to its end and answers what it printed, or throws with its last lines. */
export function run(command: string, args: string[], options: RunOptions): Promise<string> {
  const { timeoutMs, user, cwd = '/' } = options;

  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...user,
    });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));

    child.once('error', (error) => reject(new Error(`${command} cannot run: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(stdout.trim());
      const end = signal ? `was ended by ${signal} (limit ${timeoutMs} ms)` : `ended with ${code}`;
      reject(new Error(`${command} ${end}:\n${lastLines(output)}`));
    });
  });
}

/** The last lines of a text, for an error that shall say what happened. */
export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}

/** The code of a system's, PostgreSQL's or network's error; empty when it has none. */
export function codeOf(error: unknown): string {
  // Not `instanceof Error`: Node's own errors are of another realm under Jest.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
