import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second. */
const SECONDS_PER_TICK = 0.01;
/** Places of the fields in /proc/<pid>/stat, after the name in brackets. */
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;
/** Of its children that have ended. */
const ENDED_USER_TIME = 13;
const ENDED_SYSTEM_TIME = 14;

/**
 * CPU seconds that processes have used so far, by name; empty where there is no /proc.
 * @param serverPid a Postgres server, whose children are counted together as postgres
 */
export function cpuSeconds(pids: Map<string, number>, serverPid = 0): Map<string, number> {
  const used = new Map<string, number>();
  for (const [name, pid] of pids) {
    const stat = readStat(String(pid));
    if (stat !== undefined) used.set(name, timeOf(stat));
  }
  const server = serverPid === 0 ? undefined : readStat(String(serverPid));
  if (server !== undefined) {
    const running = childrenOf(serverPid).reduce((sum, stat) => sum + timeOf(stat), 0);
    used.set('postgres', running + endedTimeOf(server));
  }
  return used;
}

function childrenOf(parent: number): string[][] {
  try {
    return readdirSync('/proc').flatMap((pid) => {
      const stat = /^\d+$/.test(pid) ? readStat(pid) : undefined;
      return stat !== undefined && Number(stat[PARENT]) === parent ? [stat] : [];
    });
  } catch {
    return []; // no Linux
  }
}

function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // it has just ended
  }
}

function timeOf(stat: string[]): number {
  return (Number(stat[USER_TIME]) + Number(stat[SYSTEM_TIME])) * SECONDS_PER_TICK;
}

function endedTimeOf(stat: string[]): number {
  return (Number(stat[ENDED_USER_TIME]) + Number(stat[ENDED_SYSTEM_TIME])) * SECONDS_PER_TICK;
}
