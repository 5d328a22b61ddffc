import { readFileSync } from 'node:fs';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './run';

/** The content of `postmaster.pid` of a running server. */
export interface Postmaster {
  pid: number;
  /** NaN while the server has not written it yet. */
  port: number;
  ready: boolean;
}

/** Lines of the file, from PostgreSQL's pidfile.h. */
const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** The server that runs on this cluster: ours, or a survivor of a start that was killed. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const file = join(data, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[PID_LINE]);
  if (!Number.isInteger(pid) || pid <= 1 || !isRunning(pid)) return undefined;

  if (await isSomethingElse(pid, data)) {
    // A reused pid, as after a restart of a container: PostgreSQL itself would refuse to start.
    await rm(file, { force: true });
    return undefined;
  }
  return {
    pid,
    port: Number.parseInt(lines[PORT_LINE] ?? '', 10),
    ready: (lines[STATUS_LINE] ?? '').startsWith('ready'),
  };
}

/** Whether a process runs. A zombie does not: in a container its parent may never reap it. */
export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    return !afterName.startsWith('Z');
  } catch {
    return true; // no /proc, as on macOS
  }
}

/**
 * True only when it is certain: a server works inside its data folder. Where /proc is missing or
 * closed the file is trusted, because removing the file of a running server would corrupt the
 * cluster.
 */
async function isSomethingElse(pid: number, data: string): Promise<boolean> {
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingFolder !== undefined && workingFolder !== (await realpath(data));
}
