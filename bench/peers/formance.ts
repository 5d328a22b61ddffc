import { randomUUID } from 'node:crypto';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { Child } from '../support/child';
import { CREDIT_LIMIT } from '../support/market';
import type { World } from '../support/world';
import {
  callPeer,
  CURRENCY,
  forEachOf,
  HOLD_CENTS,
  untilAnswers,
  type LedgerPeer,
} from './ledger-peer';

const DATABASE = 'formance';
const ASSET = `${CURRENCY}/2`;
/** Of a transaction that funds accounts. */
const STORES_AT_ONCE = 250;
/** As many as it opens of itself, and it keeps all of them: by default it connects anew for each use. */
const CONNECTIONS = '20';

/** The ledgers that are measured, in the same tables. */
const LEDGERS = [
  { name: 'Formance', ledger: 'holds', features: {} },
  // All writes of a ledger wait for each other, for the sake of a hash over each row and the one before.
  { name: 'Formance without hashes', ledger: 'unhashed', features: { HASH_LOGS: 'DISABLED' } },
];

/**
 * Starts Formance ledger, version 2.2, whose accounts are funded with the credit limit of a corner
 * store: once with the features that a ledger has of itself, and once without its chain of hashes.
 * @param program the path of its program
 */
export async function startFormance(world: World, program: string): Promise<LedgerPeer[]> {
  const { db, folder, cleanup } = world;
  await db.create(DATABASE);
  const [port = 0] = await freePorts(1);
  const server = new Child({
    name: 'formance',
    command: program,
    args: [
      'serve',
      `--bind=127.0.0.1:${port}`,
      `--postgres-uri=${db.urlOf(DATABASE)}?sslmode=disable`,
      `--postgres-max-open-conns=${CONNECTIONS}`,
      `--postgres-max-idle-conns=${CONNECTIONS}`,
      '--auto-upgrade',
      '--experimental-features',
    ],
    env: {},
    folder,
  });
  cleanup.add(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(server, 'Formance ledger', `${url}/_healthcheck`);
  const peers: LedgerPeer[] = [];
  for (const { name, ledger, features } of LEDGERS) {
    const formance = { url, headers: {} };
    await openAccounts(formance, { ledger, features, stores: world.market.stores.length });
    const path = `/v2/${ledger}/transactions`;
    peers.push({
      ...formance,
      name,
      pid: server.pid,
      order: (n) => ({
        method: 'POST',
        path,
        body: formanceHold(n % world.market.stores.length, n),
      }),
      heldCents: () => heldCents(formance, ledger),
    });
  }
  return peers;
}

/** A posting from what a store may use to what is held: the ledger refuses it where the balance is less. */
export function formanceHold(store: number, n: number): object {
  return {
    postings: [
      { source: `stores:${store}:credit`, destination: `stores:${store}:held`, ...held() },
    ],
    reference: randomUUID(),
    metadata: { route: `ruta-${n % 12}`, priority: String(n % 3) },
  };
}

function held(): object {
  return { amount: HOLD_CENTS, asset: ASSET };
}

type Formance = Pick<LedgerPeer, 'url' | 'headers'>;

async function openAccounts(
  formance: Formance,
  { ledger, features, stores }: { ledger: string; features: object; stores: number },
): Promise<void> {
  await callPeer(formance, { method: 'POST', path: `/v2/${ledger}`, body: { features } });
  const firsts = Array.from({ length: Math.ceil(stores / STORES_AT_ONCE) }, (_, at) => at);
  await forEachOf(firsts, async (at) => {
    const from = at * STORES_AT_ONCE;
    const length = Math.min(STORES_AT_ONCE, stores - from);
    const postings = Array.from({ length }, (_, store) => ({
      source: 'world',
      destination: `stores:${from + store}:credit`,
      amount: CREDIT_LIMIT * 100,
      asset: ASSET,
    }));
    const funding = { postings, metadata: {} };
    await callPeer(formance, {
      method: 'POST',
      path: `/v2/${ledger}/transactions`,
      body: funding,
    });
  });
}

async function heldCents(formance: Formance, ledger: string): Promise<number> {
  const query = encodeURIComponent(JSON.stringify({ $match: { address: 'stores::held' } }));
  const { data } = await callPeer<{ data: Record<string, number> }>(formance, {
    method: 'GET',
    path: `/v2/${ledger}/aggregate/balances?query=${query}`,
  });
  return data[ASSET] ?? 0;
}
