import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { waitFor, type Api } from '../support/api';
import type { Store, Wholesaler } from '../support/story';
import type { CountingProxy, Sent } from './counting-proxy';

/** Orders of a measurement, one after another. Odd, so that one of them is the median. */
const ORDERS = 25;
/** Nothing was sent to Postgres for so long: the work of an order is done. */
const QUIET_MS = 60;

/** What an order with its SMS costs. */
export interface Cost {
  /**
   * By role and text: the fewest of any order. An order that takes longer than a poll's period also
   * counts the poll, and on a busy machine most orders do.
   */
  statements: Record<string, number>;
  /** Counted in the same way. */
  roundTrips: Record<string, number>;
  /** The median. */
  walBytes: number;
}

interface Measured {
  system: Api;
  wholesaler: Wholesaler;
  store: Store;
  proxy: CountingProxy;
  owner: Client;
}

/** Places orders one after another. Each waits until the SMS of the one before is sent. */
export async function measureOrders(measured: Measured): Promise<Cost> {
  const { proxy, owner } = measured;
  const statements: Sent['statements'][] = [];
  const roundTrips: Sent['roundTrips'][] = [];
  const walBytes: number[] = [];
  for (let n = 0; n < ORDERS; n += 1) {
    await quiet(proxy);
    const before = copyOf(proxy.sent);
    const walBefore = await walPosition(owner);
    await orderAndSms(measured);
    await quiet(proxy);
    walBytes.push((await walPosition(owner)) - walBefore);
    statements.push(difference(proxy.sent.statements, before.statements));
    roundTrips.push(difference(proxy.sent.roundTrips, before.roundTrips));
  }
  return {
    statements: fewestOf(statements),
    roundTrips: fewestOf(roundTrips),
    walBytes: median(walBytes),
  };
}

/** Of the roles that a service logs in with, or of all. */
export function total(counts: Record<string, number>, role = ''): number {
  return Object.entries(counts)
    .filter(([key]) => key.startsWith(role))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Places an order, and waits until its SMS is sent. */
export async function orderAndSms({ system, wholesaler, store, owner }: Measured): Promise<void> {
  // Not by the client: its Idempotency-Key stores the answer, which costs more.
  const { body } = await system.call(wholesaler.key, 'POST', '/transaction', {
    body: {
      cornerStoreId: store.cornerStoreId,
      totalAmount: 1000,
      products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
    },
  });
  await waitFor(async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM notifier.messages WHERE subject_id = $1 AND status = 'sent'`,
      [body.transactionId],
    );
    return rowCount === 1 || undefined;
  });
}

export async function quiet(proxy: CountingProxy): Promise<void> {
  while (performance.now() - proxy.lastAt < QUIET_MS) await sleep(QUIET_MS / 4);
}

async function walPosition(owner: Client): Promise<number> {
  const sql = `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS position`;
  const { rows } = await owner.query<{ position: number }>(sql);
  return rows[0]?.position ?? Number.NaN;
}

export function copyOf({ statements, roundTrips }: Sent): Sent {
  return { statements: new Map(statements), roundTrips: new Map(roundTrips) };
}

export function difference(
  after: Map<string, number>,
  before: Map<string, number>,
): Map<string, number> {
  return new Map([...after].map(([key, count]) => [key, count - (before.get(key) ?? 0)]));
}

function fewestOf(all: Map<string, number>[]): Record<string, number> {
  const keys = new Set(all.flatMap((counts) => [...counts.keys()]));
  const fewest = [...keys].map((key): [string, number] => [
    key,
    Math.min(...all.map((counts) => counts.get(key) ?? 0)),
  ]);
  return Object.fromEntries(fewest.filter(([, count]) => count !== 0));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
