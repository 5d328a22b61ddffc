import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@fiado/embedded-postgres/embedded-postgres';
import { Client } from 'pg';
import { waitFor } from './support/api';
import {
  codeIn,
  confirm,
  createProvider,
  createWholesaler,
  deliver,
  pay,
  randomPhone,
} from './support/story';
import { startSystem, type System } from './support/system';

const SCHEMAS = ['accounts', 'transactions', 'payments', 'notifier'];

/** Each stands in one place of what is sent about a person, and nowhere else. */
const MARKS = {
  first: 'zzfirstmark',
  last: 'zzlastmark',
  external: 'zzexternalmark',
  contact: 'zzcontactmark',
  reason: 'zzreasonmark',
  userNote: 'zzusernotemark',
  orderId: 'zzorderidmark',
  orderNote: 'zzordernotemark',
};

/** A service that was down is asked again after half a minute. */
const ERASED_DEADLINE_MS = 90_000;
/** The outbox forgets the data of a job when the job is looked up, half a minute after it was sent. */
const SETTLED_DEADLINE_MS = 90_000;

it('an erasure with services that die leaves no string of the person anywhere, and all invariants hold', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'fiado-erase-'));
  const postgres = new EmbeddedPostgres({ dataDir, durable: false });
  const { databaseUrl } = await postgres.start();
  const env = { FIADO_MODE: 'sandbox', DATABASE_URL: databaseUrl, RETENTION_YEARS: '0' };
  const system = await startSystem({ env });
  const owner = new Client({ connectionString: databaseUrl });
  await owner.connect();
  try {
    const phone = randomPhone();
    const { userId, cornerStoreId } = await seed(system, phone);
    const seeded = [...Object.values(MARKS), phone];
    const plain = await found(owner, seeded);
    expect(plain.join()).toContain(MARKS.external);
    const sums = await sumsOf(owner);

    const requested = await system.call(system.opsKey, 'POST', '/admin/privacy-requests', {
      body: { userId, kind: 'cancellation', channel: 'email', identityProof: 'official-id' },
    });
    const path = `/admin/privacy-requests/${requested.body.privacyRequestId}`;
    const body = { outcome: 'granted' };
    const granted = await system.call(system.opsKey, 'POST', `${path}/answer`, { body });
    expect(granted.status).toBe(200);
    system.kill('transactions');
    system.kill('notifier');
    const isErased = async (): Promise<true | undefined> => {
      const { rows } = await owner.query(
        `SELECT FROM accounts.erasures WHERE user_id = $1 AND phase = 'suppress' AND state = 'done'`,
        [userId],
      );
      return rows.length === 1 || undefined;
    };
    await waitFor(isErased, ERASED_DEADLINE_MS);

    await waitFor(() => areJobsSettled(owner), SETTLED_DEADLINE_MS);

    expect(await found(owner, seeded)).toEqual([]);
    expect(await filesWith(system.dataDir, seeded)).toEqual([]);
    for (const mark of seeded) expect(system.output()).not.toContain(mark);
    expect(await sumsOf(owner)).toEqual(sums);
    for (const service of SCHEMAS) {
      const checked = await waitFor(async () => {
        const answer = await system.call(system.opsKey, 'GET', `/admin/invariants/${service}`);
        return answer.status === 200 ? answer.body : undefined;
      });
      expect(checked.checks.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
    }
    const verified = await waitFor(async () => {
      const answer = await system.call(system.opsKey, 'GET', `${path}/verify`);
      return answer.body.unavailable?.length === 0 ? answer.body : undefined;
    });
    expect(verified).toMatchObject({ holds: true, left: [] });
    const { rows } = await owner.query(
      `SELECT count(*) AS parts, bool_and(e.report_sha256 = sha256(convert_to(e.report, 'UTF8')))::text AS good
         FROM accounts.erasures e JOIN accounts.erasure_parts p ON p.erasure_id = e.id
        WHERE e.corner_store_id = $1 AND e.phase = 'suppress'`,
      [cornerStoreId],
    );
    expect(rows).toEqual([{ parts: '4', good: 'true' }]);
  } finally {
    await owner.end();
    await system.dispose();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);

async function seed(
  system: System,
  phone: string,
): Promise<{ userId: string; cornerStoreId: string }> {
  const wholesaler = await createWholesaler(system, { deliveryWordRequired: false });
  const provider = await createProvider(system);
  const names = { firstName: MARKS.first, lastNames: MARKS.last };
  const customer = { externalId: MARKS.external, ...names, phoneNumber: phone };
  const imported = await system.call(
    system.opsKey,
    'POST',
    `/admin/wholesalers/${wholesaler.wholesalerId}/customers`,
    { body: { customers: [{ ...customer, creditLimit: 10_000, interestRate: 0.05 }] } },
  );
  const { userId, cornerStoreId } = imported.body.customers[0];
  const client = system.client(wholesaler.key);
  await client.accounts.createVerification(userId, {
    ...names,
    phoneNumber: phone,
    contacts: [{ fullName: MARKS.contact, phoneNumber: '+525512340102' }],
    metadata: { note: MARKS.userNote },
  });
  await system.call(system.opsKey, 'POST', `/admin/corner-stores/${cornerStoreId}/approve`, {
    body: { reason: MARKS.reason },
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
  return { userId, cornerStoreId };
}

/** Tables of the four schemas that have one of the texts, as `schema.table: text`. */
async function found(owner: Client, texts: string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = ANY ($1::regnamespace[])`,
    [SCHEMAS],
  );
  const hits: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT DISTINCT text FROM ${name} t, unnest($1::text[]) text WHERE strpos(t::text, text) > 0`,
      [texts],
    );
    hits.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return hits.toSorted();
}

async function areJobsSettled(owner: Client): Promise<true | undefined> {
  const open = SCHEMAS.map((schema) => `SELECT FROM ${schema}.outbox WHERE done_at IS NULL`);
  const { rows } = await owner.query(open.join(' UNION ALL '));
  return rows.length === 0 || undefined;
}

/** Files of a folder, images and logs among them, that have one of the texts. */
async function filesWith(folder: string, texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hits: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name));
    if (texts.some((text) => content.includes(text))) hits.push(entry.name);
  }
  return hits;
}

async function sumsOf(owner: Client): Promise<unknown> {
  const { rows } = await owner.query(
    `SELECT (SELECT sum(amount_cents) FROM transactions.transactions) AS ordered,
            (SELECT sum(amount_cents) FROM transactions.credit_entries) AS held,
            (SELECT sum(valor_cents) FROM payments.deposits) AS paid,
            (SELECT sum(paid_principal_cents + paid_interest_cents + paid_iva_cents)
               FROM payments.receivables) AS applied`,
  );
  return rows;
}
