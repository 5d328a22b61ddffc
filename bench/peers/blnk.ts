import { randomBytes, randomUUID } from 'node:crypto';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { Child } from '../support/child';
import { CREDIT_LIMIT } from '../support/market';
import type { World } from '../support/world';
import {
  callPeer,
  CURRENCY,
  forEachOf,
  HOLD_CENTS,
  START_DEADLINE_MS,
  untilAnswers,
  type LedgerPeer,
} from './ledger-peer';

const DATABASE = 'blnk';
const CENTS_OF_A_PESO = 100;
/** As many as it opens of itself, and it keeps all of them: by default it closes half after each use. */
const CONNECTIONS = '50';

/** The two balances of a corner store: what it may use, and what is held for its debts. */
interface Balances {
  credit: string;
  held: string;
}

/**
 * Starts Blnk, version 0.15.2, whose balances may be overdrawn to the credit limit of a corner store.
 * Its master key is asked for, and it reports nothing to its makers. It listens on every address, as it
 * has no setting for one.
 * @param program the path of its program
 */
export async function startBlnk(
  world: World,
  program: string,
  redisUrl: string,
): Promise<LedgerPeer> {
  const { db, folder, cleanup } = world;
  await db.create(DATABASE);
  const [port = 0] = await freePorts(1);
  const key = randomBytes(32).toString('base64url');
  const env = {
    BLNK_DATA_SOURCE_DNS: `${db.urlOf(DATABASE)}?sslmode=disable`,
    BLNK_DATABASE_MAX_OPEN_CONNS: CONNECTIONS,
    BLNK_DATABASE_MAX_IDLE_CONNS: CONNECTIONS,
    BLNK_REDIS_DNS: redisUrl.replace('redis://', ''),
    BLNK_SERVER_PORT: String(port),
    BLNK_SERVER_SECURE: 'true',
    BLNK_SERVER_SECRET_KEY: key,
    BLNK_ENABLE_TELEMETRY: 'false',
    BLNK_ENABLE_OBSERVABILITY: 'false',
  };
  const start = (name: string, args: string[]): Child => {
    const child = new Child({ name, command: program, args, env, folder });
    cleanup.add(() => child.stop());
    return child;
  };
  const migration = start('blnk-migrate', ['migrate', 'up']);
  const late = setTimeout(() => void migration.stop(), START_DEADLINE_MS);
  await migration.finish().finally(() => clearTimeout(late));

  const server = start('blnk', ['start']);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(server, 'Blnk', `${url}/health`);
  const blnk = { url, headers: { 'x-blnk-key': key } };
  const stores = await openBalances(blnk, world.market.stores.length);
  return {
    ...blnk,
    name: 'Blnk',
    pid: server.pid,
    order: (n) => ({ method: 'POST', path: '/transactions', body: blnkHold(stores, n) }),
    heldCents: () => heldCents(blnk, stores),
  };
}

/**
 * A transaction in flight: Blnk checks the overdraft limit and writes the held amount to both balances
 * before it answers. Without `skip_queue` the answer would come before the check.
 */
export function blnkHold(stores: Balances[], n: number): object {
  const store = stores[n % stores.length];
  return {
    precise_amount: HOLD_CENTS,
    precision: CENTS_OF_A_PESO,
    currency: CURRENCY,
    reference: randomUUID(),
    description: 'order',
    source: store?.credit,
    destination: store?.held,
    allow_overdraft: true,
    overdraft_limit: CREDIT_LIMIT,
    inflight: true,
    skip_queue: true,
    meta_data: { route: `ruta-${n % 12}`, priority: n % 3 },
  };
}

type Blnk = Pick<LedgerPeer, 'url' | 'headers'>;

async function openBalances(blnk: Blnk, stores: number): Promise<Balances[]> {
  const made = { method: 'POST', path: '/ledgers', body: { name: 'fiado' } } as const;
  const { ledger_id } = await callPeer<{ ledger_id: string }>(blnk, made);
  const open = async (): Promise<string> => {
    const body = { ledger_id, currency: CURRENCY };
    const balance = { method: 'POST', path: '/balances', body } as const;
    return (await callPeer<{ balance_id: string }>(blnk, balance)).balance_id;
  };
  const numbers = Array.from({ length: stores }, (_, at) => at);
  return forEachOf(numbers, async () => ({ credit: await open(), held: await open() }));
}

async function heldCents(blnk: Blnk, stores: Balances[]): Promise<number> {
  const held = await forEachOf(stores, async ({ credit }) => {
    const read = { method: 'GET', path: `/balances/${credit}` } as const;
    return (await callPeer<{ inflight_debit_balance: number }>(blnk, read)).inflight_debit_balance;
  });
  return held.reduce((sum, cents) => sum + cents, 0);
}
