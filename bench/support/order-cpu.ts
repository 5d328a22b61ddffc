import { setTimeout as pause } from 'node:timers/promises';
import { median } from './alternate';
import { cpuSeconds } from './cpu';
import type { BenchDatabase } from './database';
import type { System } from './system';

/** Timers that came due while a process was suspended run before it is measured. */
const WAKE_MS = 500;

/** A system whose CPU time for an order is measured. */
export interface CpuSubject {
  system: System;
  /** Absent where the queues are in Postgres. */
  redis?: { pid: number } | undefined;
  /** Places orders and waits for their SMS. @returns how many */
  place: () => Promise<number>;
}

/** Milliseconds of CPU for an order with its SMS, by process. */
export type CpuOfOrder = Record<string, number>;

/** Places orders, and divides the CPU time that they take by process. */
export async function cpuOfOrder(
  db: BenchDatabase,
  { system, redis, place }: CpuSubject,
): Promise<{ msOfOrder: CpuOfOrder; count: number }> {
  const serverPid = await db.serverPid();
  const pids = new Map([...system.services].map(([name, { pid }]) => [name, pid] as const));
  if (redis !== undefined) pids.set('Redis', redis.pid);
  const before = cpuSeconds(pids, serverPid);
  const count = await place();
  const msOfOrder = Object.fromEntries(
    [...cpuSeconds(pids, serverPid)].map(([name, used]) => [
      name,
      (1_000 * (used - (before.get(name) ?? 0))) / count,
    ]),
  );
  return { msOfOrder, count };
}

/**
 * Measures systems in turns, A B B A. The others are suspended meanwhile, because the processes of
 * the one Postgres are counted together. Each system has had a turn before, which is not counted: the one that waited
 * for the others to start would be cold.
 * @returns the turns of each system
 */
export async function cpuInTurns(
  db: BenchDatabase,
  subjects: CpuSubject[],
  turns: number,
): Promise<CpuOfOrder[][]> {
  const measured = subjects.map((subject) => ({ subject, turns: [] as CpuOfOrder[] }));
  for (const { system } of subjects) system.pause();
  try {
    for (let turn = subjects.length > 1 ? -1 : 0; turn < turns; turn += 1) {
      for (const one of turn % 2 === 0 ? measured : measured.toReversed()) {
        one.subject.system.goOn();
        await pause(WAKE_MS);
        const { msOfOrder } = await cpuOfOrder(db, one.subject);
        if (turn >= 0) one.turns.push(msOfOrder);
        // The last SMS is sent before it is recorded.
        await pause(WAKE_MS);
        one.subject.system.pause();
      }
    }
  } finally {
    for (const { system } of subjects) system.goOn();
  }
  return measured.map((one) => one.turns);
}

/** The CPU time of all processes together. */
export function totalOf(cpu: CpuOfOrder): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}

/** The CPU time of an order in that of another system: the middle of the ratios of each turn. */
export function ratioOfTurns(turns: CpuOfOrder[], base: CpuOfOrder[]): number {
  return median(turns.map((turn, at) => totalOf(turn) / totalOf(base[at] ?? {})));
}

/** The CPU time of each process in the mean of turns. */
export function meanOfTurns(turns: CpuOfOrder[]): CpuOfOrder {
  const names = Object.keys(turns[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      turns.reduce((sum, turn) => sum + (turn[name] ?? 0), 0) / turns.length,
    ]),
  );
}
