import { readFileSync } from 'node:fs';

/** The most memory that a process had, in MB; 0 once it has ended. */
export function peakMemoryMb(pid: number): number {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
