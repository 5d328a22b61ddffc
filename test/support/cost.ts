import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { CountingProxy, Sent } from './counting-proxy';

/** Nothing was sent to Postgres for so long: the work is done. */
const QUIET_MS = 60;
/** Sent on a connection that was silent for a while (db/writable.ts). On a busy machine each repetition has one. */
const CHECK_OF_A_CONNECTION = 'SHOW transaction_read_only';

/** What some work costs Postgres. The keys are the role and the start of a statement's text. */
export interface Cost extends Record<keyof Sent, Record<string, number>> {
  /** The median. */
  walBytes: number;
}

interface Measured {
  proxy: CountingProxy;
  /** A connection past the proxy. */
  owner: Client;
  /** Odd, so that one of the repetitions is the median. */
  times: number;
}

/**
 * Repeats some work, each time once nothing else is sent to Postgres. Of each statement it takes the
 * fewest of any repetition: one that takes longer than a poll's period also counts the poll, and on a
 * busy machine most do.
 */
export async function measureCost(
  { proxy, owner, times }: Measured,
  work: () => Promise<void>,
): Promise<Cost> {
  const sent: Sent[] = [];
  const walBytes: number[] = [];
  for (let n = 0; n < times; n += 1) {
    await quiet(proxy);
    const before = copyOf(proxy.sent);
    const walBefore = await walPosition(owner);
    await work();
    await quiet(proxy);
    walBytes.push((await walPosition(owner)) - walBefore);
    sent.push(difference(proxy.sent, before));
  }
  return {
    statements: fewestOf(sent.map(({ statements }) => statements)),
    roundTrips: fewestOf(sent.map(({ roundTrips }) => roundTrips)),
    parameterBytes: fewestOf(sent.map(({ parameterBytes }) => parameterBytes)),
    walBytes: median(walBytes),
  };
}

/**
 * Fails when a role sends more statements than its most, or waits more often, or when another role
 * sends any. Then it prints the statements.
 */
export function expectAtMost(
  most: Record<string, number>,
  { statements, roundTrips }: Pick<Cost, 'statements' | 'roundTrips'>,
): void {
  const roles = new Set(Object.keys(statements).map((key) => key.split(':')[0]));
  expect(roles).toEqual(new Set(Object.keys(most)));
  for (const [role, mostOfRole] of Object.entries(most)) {
    const [sent, waits] = [total(statements, role), total(roundTrips, role)];
    if (Math.max(sent, waits) > mostOfRole) {
      process.stdout.write(`${JSON.stringify(statements, null, 1)}\n`);
    }
    expect(sent).toBeLessThanOrEqual(mostOfRole);
    expect(waits).toBeLessThanOrEqual(mostOfRole);
  }
}

/** Of the roles that a service logs in with, or of all. */
export function total(counts: Record<string, number>, role = ''): number {
  return Object.entries(counts)
    .filter(([key]) => key.startsWith(role))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Waits until nothing is sent to Postgres. */
export async function quiet(proxy: CountingProxy): Promise<void> {
  while (performance.now() - proxy.lastAt < QUIET_MS) await sleep(QUIET_MS / 4);
}

export function copyOf({ statements, roundTrips, parameterBytes }: Sent): Sent {
  return {
    statements: new Map(statements),
    roundTrips: new Map(roundTrips),
    parameterBytes: new Map(parameterBytes),
  };
}

export function difference(after: Sent, before: Sent): Sent {
  const of = (kind: keyof Sent): Map<string, number> =>
    new Map([...after[kind]].map(([key, count]) => [key, count - (before[kind].get(key) ?? 0)]));
  return {
    statements: of('statements'),
    roundTrips: of('roundTrips'),
    parameterBytes: of('parameterBytes'),
  };
}

async function walPosition(owner: Client): Promise<number> {
  const sql = `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS position`;
  const { rows } = await owner.query<{ position: number }>(sql);
  return rows[0]?.position ?? Number.NaN;
}

function fewestOf(all: Map<string, number>[]): Record<string, number> {
  const keys = new Set(
    all
      .flatMap((counts) => [...counts.keys()])
      .filter((key) => !key.endsWith(CHECK_OF_A_CONNECTION)),
  );
  const fewest = [...keys].map((key): [string, number] => [
    key,
    Math.min(...all.map((counts) => counts.get(key) ?? 0)),
  ]);
  return Object.fromEntries(fewest.filter(([, count]) => count !== 0));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
