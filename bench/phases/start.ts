import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@fiado/chassis/testing/until';
import { median } from '../support/alternate';
import { orderBody } from '../support/market';
import { NpmStart } from '../support/npm-start';
import { isInstalled } from '../support/programs';
import { RedisServer } from '@fiado/chassis/testing/redis-server';
import { rowFinding, type Ground, type PhaseResult } from '../support/world';

/** Starts after the first one, which makes the database. */
const STARTS = 3;
const CUSTOMERS = 1_000;
const CREDIT_LIMIT = 50_000_000;
const BATCH = 500;
const BATCHES_AT_ONCE = 2;
const APPROVALS_AT_ONCE = 8;
/** What waits to be sent after so long is left. */
const SENT_DEADLINE_MS = 180_000;

/** `npm start` as a person runs it: how long it takes, and the memory of its processes. */
export async function measureStart(ground: Ground): Promise<PhaseResult> {
  const { cleanup, folder, say, options } = ground;
  const dataDir = join(folder, 'npm-start');
  const first = await NpmStart.run(cleanup, { folder, dataDir });
  await first.stop();
  const seconds: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const again = await NpmStart.run(cleanup, { folder, dataDir });
    seconds.push(again.readyMs / 1_000);
    say(`  ready after ${(again.readyMs / 1_000).toFixed(2)} s`);
    await again.stop();
  }

  // The queues are in Redis where they can be, as SMS are sent faster then.
  const redis = isInstalled('redis-server')
    ? await RedisServer.start(['--appendonly', 'yes'])
    : undefined;
  cleanup.add(() => redis?.stop());
  const env = redis === undefined ? {} : { REDIS_URL: redis.url };
  const loaded = await NpmStart.run(cleanup, { folder, dataDir, env });
  const atStart = loaded.memoryMb();
  const secrets = await readFile(join(dataDir, 'secrets.json'), 'utf8');
  const { OPS_API_KEY } = JSON.parse(secrets) as { OPS_API_KEY: string };
  await placeOrders(loaded.url, OPS_API_KEY, options.counts.ordersBeforeMemory);
  const after = loaded.memoryMb();
  const withoutShared = loaded.memoryWithoutSharedMb();
  await loaded.stop();

  return {
    phase: 'start',
    findings: [
      { what: 'npm start, the first time', value: first.readyMs / 1_000, unit: 's' },
      { what: 'memory at start', value: sumOf(atStart), unit: 'MB' },
      ...[...after].map(([name, value]) => ({
        what: `memory of ${name} after ${options.counts.ordersBeforeMemory} orders`,
        value,
        unit: 'MB',
      })),
      { what: 'all of them, shared pages counted once', value: withoutShared, unit: 'MB' },
      rowFinding('start', median(seconds)),
      // The row is of the five services and the supervisor; the console came later.
      rowFinding('memory', sumOf(after) - (after.get('console') ?? 0)),
    ],
    rounds: { seconds, atStart: Object.fromEntries(atStart), after: Object.fromEntries(after) },
  };
}

/** A wholesaler with approved stores places orders in batches, until all of their SMS are sent. */
async function placeOrders(url: string, opsKey: string, count: number): Promise<void> {
  const call = async <T>(key: string, method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const { wholesalerId, apiKey } = await call<{ wholesalerId: string; apiKey: string }>(
    opsKey,
    'POST',
    '/admin/wholesalers',
    { name: 'Abarrotera de la Memoria' },
  );
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => ({
    externalId: `tienda-${n}`,
    firstName: 'Lucía',
    lastNames: 'Ortega Reyes',
    phoneNumber: `+52${5_570_000_000 + n}`,
    creditLimit: CREDIT_LIMIT,
    interestRate: 0.05,
  }));
  const path = `/admin/wholesalers/${wholesalerId}/customers`;
  const imported = await call<{ customers: Array<{ cornerStoreId: string }> }>(
    opsKey,
    'POST',
    path,
    { customers },
  );
  await inTurns(imported.customers, APPROVALS_AT_ONCE, ({ cornerStoreId }) =>
    call(opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`, {}),
  );
  const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, at) => at * BATCH);
  await inTurns(batches, BATCHES_AT_ONCE, (from) => {
    const transactions = Array.from({ length: BATCH }, (_, at) =>
      orderBody({ stores: imported.customers }, from + at),
    );
    return call(apiKey, 'POST', '/transaction/batch', { transactions, driverId: 'chofer-1' });
  });
  const pending = { status: 'pending', limit: 1 };
  const noneWaits = async (): Promise<boolean> =>
    (await call<{ messages: object[] }>(opsKey, 'POST', '/admin/messages/search', pending)).messages
      .length === 0;
  await until('all SMS are sent', noneWaits, SENT_DEADLINE_MS).catch(() => undefined);
}

async function inTurns<T>(
  items: T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function sumOf(values: Map<string, number>): number {
  return [...values.values()].reduce((sum, value) => sum + value, 0);
}
