import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Api, waitFor } from '../e2e/support/api';
import {
  createStore,
  createWholesaler,
  order,
  type Store,
  type Wholesaler,
} from '../e2e/support/story';
import { postgresImage } from './support/postgres-image';
import { openProject, type ComposeProject } from './support/project';

const PROJECT = `fiado-test-${randomUUID().slice(0, 8)}`;
/** The file that docker/backup writes for node-exporter. */
const BACKUP_METRIC = resolve(__dirname, '../../ops/textfile/backup.prom');
/** In a container of its own: `exec` of Compose v1 looks for the first one. */
const CAT = ['run', '--rm', '-T', '--no-deps', '--entrypoint', 'cat', 'accounts'];
const IMAGE_OF_ONBOARDING = '/data/uploads/an-image';
const LIST = '/data/audit-anchors/erased-persons.jsonl';
/** Ends what hangs. */
const ERASED_DEADLINE_MS = 120_000;
const RESTART_DEADLINE_MS = 150_000;
/** Where nothing holds them, an SMS and a webhook leave within a second. */
const HELD_MS = 10_000;
/** Of another installation: a restore keeps the line, and finds nobody. */
const ERASED = {
  erasureId: randomUUID(),
  phase: 'suppress',
  userId: randomUUID(),
  cornerStoreId: randomUUID(),
  request: { id: randomUUID() },
  phoneIndexes: [],
};

let folder: string;
let project: ComposeProject;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-backup-'));
  project = await openProject(PROJECT, { POSTGRES_IMAGE: await postgresImage() });
  await project.run('build', 'settings');
  await project.up();
}, 900_000);
afterAll(async () => {
  await project.down({ timeout: 10_000 });
  await rm(folder, { recursive: true });
}, 60_000);

it('a backup restores every order and image into empty volumes, and only there', async () => {
  const api = await project.api();
  const wholesaler = await createWholesaler(api);
  const store = await createStore(api, wholesaler);
  // Who never ordered is erased as soon as it is granted.
  const erased = await createStore(api, wholesaler);
  const { transactionId } = await order(api, wholesaler, store);
  const write = `echo of a store > ${IMAGE_OF_ONBOARDING}`;
  await project.run('exec', '-T', 'accounts', 'sh', '-c', write);
  const look = async () => [
    (await api.call(wholesaler.key, 'GET', `/corner-store/external/${store.externalId}`)).body,
    (await api.call(wholesaler.key, 'GET', `/transaction/${transactionId}`)).body,
    await project.run(...CAT, IMAGE_OF_ONBOARDING),
  ];
  const before = await look();

  // As a release leaves it: another container of accounts than the first.
  const [first = ''] = await project.idsOf('accounts');
  await project.up(['--no-deps', '--no-recreate', '--scale', 'accounts=2'], 'accounts');
  await promisify(execFile)('docker', ['rm', '-f', first]);
  await project.script('docker/backup', folder);
  expect(await readFile(BACKUP_METRIC, 'utf8')).toMatch(
    /^fiado_backup_last_success_timestamp_seconds \d{10}\n$/,
  );
  await expect(project.script('docker/restore', folder)).rejects.toThrow('has wholesalers');
  expect(await look()).toEqual(before);
  expect(await dumped()).toContain(erased.externalId);
  await erase(api, erased.userId);
  await untilNotDumped(erased.externalId);

  await project.down({ timeout: 10_000, removeVolumes: false });
  const lost = ['postgres', 'redis', 'uploads'].map((volume) => `${PROJECT}_${volume}`);
  await promisify(execFile)('docker', ['volume', 'rm', ...lost]);
  // The newest list of erased persons, copied after the backup.
  await writeFile(join(folder, 'erased-persons.jsonl'), `${JSON.stringify(ERASED)}\n`);
  // Its last step is `verify`, whose exit code it ends with.
  const restored = await project.script('docker/restore', folder);
  expect(restored).toMatch(/When it takes over, run: .*compose up -d\n$/);
  expect(restored).toContain(
    `erasure ${ERASED.erasureId}: of a person who is not in this database`,
  );
  expect(restored).toMatch(/erasure [\da-f-]{36}: erased again; values: transactions /);
  expect(await project.run(...CAT, LIST)).toContain(ERASED.erasureId);

  expect(await look()).toEqual(before);
  await untilNotDumped(erased.externalId);
  const path = `/admin/wholesalers/${wholesaler.wholesalerId}/customers`;
  const { externalId, phone: phoneNumber } = erased;
  const row = { externalId, phoneNumber, firstName: 'Lucía', lastNames: 'Ortega' };
  const again = await api.call(api.opsKey, 'POST', path, {
    body: { customers: [{ ...row, creditLimit: 10_000, interestRate: 0.05 }] },
  });
  expect([again.status, again.body.errorCode]).toEqual([409, 'CUSTOMER_ERASED']);
}, 600_000);

/** The whole database, as a backup has it. */
function dumped(): Promise<string> {
  return project.run('exec', '-T', 'postgres', 'pg_dump', '-U', 'fiado', 'fiado');
}

/** A job that is done loses its data within a minute. */
async function untilNotDumped(text: string): Promise<void> {
  await waitFor(async () => !(await dumped()).includes(text) || undefined, ERASED_DEADLINE_MS);
}

async function erase(api: Api, userId: string): Promise<void> {
  const requested = await api.call(api.opsKey, 'POST', '/admin/privacy-requests', {
    body: { userId, kind: 'cancellation', channel: 'email', identityProof: 'official-id' },
  });
  const path = `/admin/privacy-requests/${requested.body.privacyRequestId}`;
  const body = { outcome: 'granted' };
  expect((await api.call(api.opsKey, 'POST', `${path}/answer`, { body })).status).toBe(200);
  await waitFor(async () => {
    const { erasures } = (await api.call(api.opsKey, 'GET', path)).body;
    return erasures?.[1]?.state === 'done' || undefined;
  }, ERASED_DEADLINE_MS);
}

it('a restored copy sends no SMS and no webhook until it takes over, and its console says so', async () => {
  const api = await project.api();
  const wholesaler = await createWholesaler(api);
  // Nobody listens there: what counts is the attempt.
  const url = 'http://127.0.0.1:65000/';
  const endpoint = await api.call(wholesaler.key, 'POST', '/webhook-endpoints', { body: { url } });
  expect(endpoint.status).toBe(201);
  const { webhookEndpointId } = endpoint.body;
  const store = await createStore(api, wholesaler);
  await order(api, wholesaler, store);
  const sent = () => outgoing(api, { wholesaler, store, webhookEndpointId });

  await waitFor(async () => (await sent()).webhooks.includes('transaction.created 0') || undefined);
  await sleep(HELD_MS);
  const held = await sent();
  expect([...new Set(held.sms)]).toEqual(['pending']);
  expect(held.webhooks.filter((webhook) => !webhook.endsWith(' 0'))).toEqual([]);
  expect(await consolePage()).toContain('Copia en pausa: no envía SMS, webhooks ni facturas');

  // Without the variable it is on.
  await project.run('up', '-d');
  await waitFor(async () => {
    const { sms, webhooks } = await sent().catch(() => held);
    return [...sms, ...webhooks].some((one) => /^pending$| 0$/.test(one)) ? undefined : true;
  }, RESTART_DEADLINE_MS);
  expect([...new Set((await sent()).sms)]).toEqual(['sent']);
  expect(await consolePage()).not.toContain('Copia en pausa');
}, 300_000);

/** The first page of the console, in Spanish. */
async function consolePage(): Promise<string> {
  return waitFor(async () => {
    const answer = await fetch(project.consoleUrl, { headers: { 'accept-language': 'es' } }).catch(
      () => undefined,
    );
    return answer?.ok === true ? answer.text() : undefined;
  }, RESTART_DEADLINE_MS);
}

/** States of the SMS to a store, and its wholesaler's webhooks with their attempts. */
async function outgoing(
  api: Api,
  of: { wholesaler: Wholesaler; store: Store; webhookEndpointId: string },
): Promise<{ sms: string[]; webhooks: string[] }> {
  const messages = await api.call(api.opsKey, 'POST', '/admin/messages/search', {
    body: { phoneNumber: of.store.phone },
  });
  const path = `/webhook-endpoints/${of.webhookEndpointId}/deliveries`;
  const listed = await api.call(of.wholesaler.key, 'GET', path);
  const { deliveries } = listed.body as { deliveries: { type: string; attempts: number }[] };
  return {
    sms: messages.body.messages.map(({ status }: { status: string }) => status),
    webhooks: deliveries.map(({ type, attempts }) => `${type} ${attempts}`),
  };
}

it('a backup that is cut off does not look like one', async () => {
  await project.run('stop', 'postgres');
  const into = join(folder, 'cut-off');
  await expect(project.script('docker/backup', into)).rejects.toThrow();
  await expect(project.script('docker/restore', into)).rejects.toThrow('has no fiado.dump');
}, 120_000);
