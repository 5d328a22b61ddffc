import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startStandIn } from '@fiado/chassis/testing/stand-in';
import { asOwner } from '@fiado/chassis/testing/as-owner';
import { withDatabase } from '@fiado/chassis/testing/database';
import { startTemporaryPostgres } from '@fiado/embedded-postgres/testing/temporary-postgres';
import { waitFor } from './support/api';
import { AGE_OPEN_JOBS } from './support/open-jobs';
import {
  codeIn,
  confirm,
  createProvider,
  createWholesaler,
  deliver,
  pay,
  randomPhone,
  type Wholesaler,
} from './support/story';
import { startSystem, type System } from './support/system';

const SCHEMAS = ['accounts', 'transactions', 'payments', 'notifier'];
const STEP = resolve(__dirname, '../../apps/supervisor/dist/containers/main.js');

/** Each stands in one place of what is sent about a person, and nowhere else. */
const MARKS = {
  first: 'zzfirstmark',
  last: 'zzlastmark',
  external: 'zzexternalmark',
  contact: 'zzcontactmark',
  orderId: 'zzorderidmark',
  orderNote: 'zzordernotemark',
};

const NO_CREDIT = [{ accounts: 'pre-approved', transactions: 'pre-approved', same: true }];

/** Where the notifier keeps what a job brings. */
const TAKEN_JOBS = 'notifier.messages, notifier.events';
const IN_A_QUEUE = 'in a queue';
/** Queues in Redis are not in a backup. */
const QUEUED = process.env.REDIS_URL === undefined ? [IN_A_QUEUE] : [];

/** Ends what hangs. */
const SETTLED_DEADLINE_MS = 120_000;

it('a person who was erased after the backup is gone from the restored database before Fiado starts', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-restore-'));
  const postgres = await startTemporaryPostgres();
  const { url: serverUrl } = postgres;
  const databaseUrl = withDatabase(serverUrl, 'sales');
  await rowsAsOwner(serverUrl, 'CREATE DATABASE sales');
  const env = { FIADO_MODE: 'sandbox', DATABASE_URL: databaseUrl, RETENTION_YEARS: '0' };
  const receiver = await startStandIn(() => ({ status: 200, body: {} }));
  let system: System | undefined;
  const start = async (more: Record<string, string> = {}): Promise<System> => {
    system = await startSystem({ dataDir, env: { ...env, ...more } });
    return system;
  };
  try {
    const phone = randomPhone();
    const marks = [...Object.values(MARKS), phone];
    let fiado = await start();
    const { wholesaler, userId, cornerStoreId } = await seed(fiado, phone);
    const { wholesalerId } = wholesaler;
    await fiado.call(wholesaler.key, 'POST', '/webhook-endpoints', {
      body: { url: receiver.url },
    });
    await waitFor(() => areJobsSettled(databaseUrl), SETTLED_DEADLINE_MS);
    // While the backup is made, the notifier cannot take its jobs.
    await rowsAsOwner(databaseUrl, `REVOKE INSERT ON ${TAKEN_JOBS} FROM fiado_notifier`);
    await orderAndCancel(fiado, wholesaler, cornerStoreId);
    const waiting = [
      'accounts: send-message',
      'transactions: send-message',
      'transactions: transaction.cancelled',
      ...QUEUED,
    ];
    await waitFor(async () => {
      const jobs = await waitingJobs(databaseUrl);
      return waiting.every((job) => jobs.includes(job)) || undefined;
    });
    await fiado.stop();
    await rowsAsOwner(databaseUrl, `GRANT INSERT ON ${TAKEN_JOBS} TO fiado_notifier`);
    await rowsAsOwner(serverUrl, 'CREATE DATABASE yesterday TEMPLATE sales');
    const before = await found(databaseUrl, marks);
    expect(before.join()).toContain(MARKS.external);

    fiado = await start();
    const requested = await fiado.call(fiado.opsKey, 'POST', '/admin/privacy-requests', {
      body: { userId, kind: 'cancellation', channel: 'email', identityProof: 'official-id' },
    });
    const path = `/admin/privacy-requests/${requested.body.privacyRequestId}`;
    await fiado.call(fiado.opsKey, 'POST', `${path}/answer`, { body: { outcome: 'granted' } });
    const verified = async (): Promise<true | undefined> => {
      // A job's data is forgotten when it is looked up.
      await rowsAsOwner(databaseUrl, AGE_OPEN_JOBS);
      const { body } = await fiado.call(fiado.opsKey, 'GET', `${path}/verify`);
      // A restored database may have no report of the block.
      const isErased = body.reports?.at(-1)?.phase === 'suppress';
      return (isErased && body.holds) || undefined;
    };
    await waitFor(verified, SETTLED_DEADLINE_MS);
    await fiado.stop();

    await rowsAsOwner(serverUrl, 'DROP DATABASE sales');
    await rowsAsOwner(serverUrl, 'CREATE DATABASE sales TEMPLATE yesterday');
    expect(await found(databaseUrl, marks)).toEqual(before);
    const list = await readFile(join(dataDir, 'audit-anchors', 'erased-persons.jsonl'), 'utf8');
    for (const mark of marks) expect(list).not.toContain(mark);
    // As it would be, had the list been copied when the block was done.
    const block = list.split('\n').find((line) => line.includes('"phase":"block"')) ?? '';
    expect(await reapply(databaseUrl, block)).toContain('blocked again; values: transactions ');
    const ofBlocked = (await found(databaseUrl, marks)).join();
    expect(ofBlocked).toContain(MARKS.external);
    expect(ofBlocked).not.toContain(MARKS.orderNote);
    expect(await waitingJobs(databaseUrl)).toEqual([
      'accounts: corner-store.blocked',
      'accounts: corner-store.status-changed',
    ]);
    expect(await statusIn(databaseUrl, cornerStoreId)).toEqual(NO_CREDIT);
    expect(await reapply(databaseUrl, block)).toContain('done already');

    expect(await reapply(databaseUrl, list)).toContain('erased again; values: transactions ');
    expect(await found(databaseUrl, marks)).toEqual([]);
    expect(await waitingJobs(databaseUrl)).toEqual([
      'accounts: corner-store.blocked',
      'accounts: corner-store.erased',
    ]);
    expect(await reapply(databaseUrl, list)).toContain('done already');

    // Queues in Redis are emptied by who restores.
    const queues = process.env.REDIS_URL === undefined ? {} : { QUEUE_PREFIX: randomUUID() };
    fiado = await start(queues);
    const again = await fiado.call(
      fiado.opsKey,
      'POST',
      `/admin/wholesalers/${wholesalerId}/customers`,
      { body: { customers: [customerWith(phone)] } },
    );
    expect([again.status, again.body.errorCode]).toEqual([409, 'CUSTOMER_ERASED']);
    await waitFor(verified, SETTLED_DEADLINE_MS);
    expect(await found(databaseUrl, marks)).toEqual([]);
    expect(fiado.output()).not.toContain('SMS to');
    for (const service of SCHEMAS) {
      const holds = async (): Promise<true | undefined> => {
        const { body } = await fiado.call(fiado.opsKey, 'GET', `/admin/invariants/${service}`);
        return body.checks?.every((check: { holds: boolean }) => check.holds) || undefined;
      };
      await waitFor(holds);
    }
    await fiado.stop();
    expect(await reapply(databaseUrl, list)).toContain('done already');
    expect(await statusIn(databaseUrl, cornerStoreId)).toEqual(NO_CREDIT);
  } finally {
    await system?.dispose();
    await receiver.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);

const customerWith = (phoneNumber: string): object => ({
  externalId: MARKS.external,
  firstName: MARKS.first,
  lastNames: MARKS.last,
  phoneNumber,
  creditLimit: 10_000,
  interestRate: 0.05,
});

async function seed(
  system: System,
  phone: string,
): Promise<{ wholesaler: Wholesaler; userId: string; cornerStoreId: string }> {
  const wholesaler = await createWholesaler(system, { deliveryWordRequired: false });
  const provider = await createProvider(system);
  const { wholesalerId } = wholesaler;
  const imported = await system.call(
    system.opsKey,
    'POST',
    `/admin/wholesalers/${wholesalerId}/customers`,
    { body: { customers: [customerWith(phone)] } },
  );
  const { userId, cornerStoreId } = imported.body.customers[0];
  const client = system.client(wholesaler.key);
  await client.accounts.createVerification(userId, {
    firstName: MARKS.first,
    lastNames: MARKS.last,
    phoneNumber: phone,
    contacts: [{ fullName: MARKS.contact, phoneNumber: '+525512340102' }],
  });
  await system.call(system.opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`, {
    body: { reason: 'visited' },
  });
  const ordered = await client.transactions.create({
    cornerStoreId,
    totalAmount: 1000,
    wholesalerTransactionId: MARKS.orderId,
    metadata: { note: MARKS.orderNote },
    products: [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 10 }],
  });
  await confirm(system, wholesaler, ordered, codeIn(await system.sms(phone, 'order-code')));
  await deliver(system, wholesaler, ordered.transactionId);
  await pay(system, wholesaler, provider, ordered.transactionId);
  await waitFor(async () => {
    const read = await client.transactions.get(ordered.transactionId);
    return read.transactionStatus === 'paid' || undefined;
  });
  return { wholesaler, userId, cornerStoreId };
}

/** SMS and events of two services about the store, and nothing that it owes. */
async function orderAndCancel(
  system: System,
  { key }: Wholesaler,
  cornerStoreId: string,
): Promise<void> {
  const { transactions } = system.client(key);
  const products = [{ externalSKU: 'SKU-1', name: 'Refresco', quantity: 1 }];
  const order = await transactions.create({ cornerStoreId, totalAmount: 500, products });
  await transactions.cancel(order.transactionId);
  for (const decision of ['reject', 'approve']) {
    const path = `/admin/corner-stores/${cornerStoreId}/${decision}`;
    await system.call(system.opsKey, 'POST', path, { body: { reason: 'visited' } });
  }
}

/** Runs the step of a restore. @returns what it printed */
async function reapply(databaseUrl: string, list: string): Promise<string> {
  const env = { PATH: process.env.PATH, MIGRATION_DATABASE_URL: databaseUrl };
  const step = spawn(process.execPath, [STEP, 'reapply'], { env });
  const ended = once(step, 'exit');
  step.stdin.end(list);
  const [printed, failed] = await Promise.all([text(step.stdout), text(step.stderr)]);
  const [exitCode] = (await ended) as [number | null];
  expect([exitCode, exitCode === 0 || failed]).toEqual([0, true]);
  return printed;
}

async function rowsAsOwner(url: string, statement: string): Promise<unknown[]> {
  return asOwner(url, async (owner) => (await owner.query(statement)).rows);
}

/** Tables of the four schemas that have one of the texts, as `schema.table: text`. */
async function found(databaseUrl: string, texts: string[]): Promise<string[]> {
  const tables = (await rowsAsOwner(
    databaseUrl,
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r'
        AND relnamespace::regnamespace::text IN (${SCHEMAS.map((name) => `'${name}'`).join(', ')})`,
  )) as { name: string }[];
  const list = texts.map((one) => `('${one}')`).join(', ');
  const hits: string[] = [];
  for (const { name } of tables) {
    const rows = (await rowsAsOwner(
      databaseUrl,
      `SELECT DISTINCT text FROM ${name} t, (VALUES ${list}) AS texts (text)
        WHERE strpos(t::text, text) > 0`,
    )) as { text: string }[];
    hits.push(...rows.map((row) => `${name}: ${row.text}`));
  }
  return hits.toSorted();
}

/** What would tell somebody of the person: SMS and events in outboxes, by type, and jobs in queues in Postgres. */
async function waitingJobs(databaseUrl: string): Promise<string[]> {
  const open = SCHEMAS.map(
    (schema) =>
      `SELECT DISTINCT '${schema}: ' || coalesce(data ->> 'type', type) AS job FROM ${schema}.outbox
        WHERE done_at IS NULL AND type IN ('send-message', 'announce-event')`,
  );
  const queued = `SELECT DISTINCT '${IN_A_QUEUE}' FROM bullmq.job WHERE state <> 'completed'`;
  const all = [...open, ...(QUEUED.length === 0 ? [] : [queued])].join(' UNION ALL ');
  const rows = (await rowsAsOwner(databaseUrl, `${all} ORDER BY 1`)) as { job: string }[];
  return rows.map(({ job }) => job);
}

async function areJobsSettled(databaseUrl: string): Promise<true | undefined> {
  return (await rowsAsOwner(databaseUrl, AGE_OPEN_JOBS)).length === 0 || undefined;
}

/** Status and version of a store, as both services have it. */
function statusIn(databaseUrl: string, cornerStoreId: string): Promise<unknown[]> {
  return rowsAsOwner(
    databaseUrl,
    `SELECT s.status AS accounts, l.status AS transactions, s.version = l.version AS same
       FROM accounts.corner_stores s JOIN transactions.credit_lines l ON l.corner_store_id = s.id
      WHERE s.id = '${cornerStoreId}'`,
  );
}
