import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor, type Api } from '../e2e/support/api';
import { verify } from '../e2e/support/month';
import {
  buyAndPay,
  createProvider,
  createStore,
  createWholesaler,
  order,
} from '../e2e/support/story';
import { openProject, type ComposeProject } from './support/project';

const TRANSACTIONS_PORT = 3002;
const INSTANCES = 3;
const ORDERS = 60;
/** Half of what each would have in exact turns: health checks and restarts may disturb these. */
const FAIR_SHARE = ORDERS / INSTANCES / 2;

const PROJECT = `fiado-test-${randomUUID().slice(0, 8)}`;

let project: ComposeProject;
let api: Api;
beforeAll(async () => {
  project = await openProject(PROJECT);
  await project.run('build', 'settings');
  await project.up();
  api = await project.api();
}, 900_000);
afterAll(async () => {
  await project.down({ timeout: 10_000 });
});

it('up alone gives a sandbox whose demo key works as it is printed', async () => {
  const printed = await waitFor(async () => {
    const logs = await project.run('logs', '--no-color', 'demo');
    return /curl (\S+) -H 'Authorization: (\S+)'/.exec(logs) ?? undefined;
  });
  const answer = await fetch(printed[1] ?? '', {
    headers: { authorization: printed[2] ?? '' },
  });

  expect([answer.status, await answer.json()]).toEqual([
    200,
    expect.objectContaining({ status: 'approved', creditLimitAvailable: 10_000 }),
  ]);
}, 60_000);

it('up alone gives a console whose printed link is a page that signs in', async () => {
  const link = await waitFor(async () => {
    const logs = await project.run('logs', '--no-color', 'demo');
    return /http:\/\/localhost:\d+\/invitacion\/\S+/.exec(logs)?.[0];
  });
  const page = await fetch(link);

  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Ana (demo)')]);
}, 60_000);

it('the image has the packages that integrators install', async () => {
  for (const name of ['client', 'check']) {
    const answer = await fetch(`${api.baseUrl}/docs/packages/fiado-${name}-1.0.0.tgz`);
    expect([name, answer.status]).toEqual([name, 200]);
  }
});

it('a corner store buys on credit, is delivered, pays, and has its credit back', async () => {
  const wholesaler = await createWholesaler(api);
  const provider = await createProvider(api);
  const store = await createStore(api, wholesaler);

  await buyAndPay(api, { wholesaler, provider, store });
}, 60_000);

it('three instances of transactions share the orders, and when two go none fails', async () => {
  const wholesaler = await createWholesaler(api);
  const scale = (count: number) =>
    project.up(['--no-deps', '--scale', `transactions=${count}`], 'transactions');
  await scale(INSTANCES);
  const orders = () =>
    project.requestsByInstance('transactions', '/v1/transaction', TRANSACTIONS_PORT);
  const stores = await Promise.all(
    Array.from({ length: ORDERS / 6 }, () => createStore(api, wholesaler)),
  );
  const buyRound = () => Promise.all(stores.map((store) => order(api, wholesaler, store)));

  const before = await orders();
  for (let round = 0; round < 6; round += 1) await buyRound();
  const shares = (await orders()).map((count, index) => count - (before[index] ?? 0));
  expect(shares.reduce((sum, share) => sum + share)).toBe(ORDERS);
  for (const share of shares) expect(share).toBeGreaterThanOrEqual(FAIR_SHARE);

  const scaling = { done: false };
  const scaled = scale(1).finally(() => (scaling.done = true));
  while (!scaling.done) await order(api, wholesaler, await createStore(api, wholesaler));
  await scaled;
});

it('down and up again keep every store, order and key, and balances reconcile', async () => {
  const wholesaler = await createWholesaler(api);
  const store = await createStore(api, wholesaler);
  const { transactionId } = await order(api, wholesaler, store);
  const look = async () => [
    (await api.call(wholesaler.key, 'GET', `/corner-store/external/${store.externalId}`)).body,
    (await api.call(wholesaler.key, 'GET', `/transaction/${transactionId}`)).body,
  ];
  const before = await look();

  await project.down({ timeout: 25_000, removeVolumes: false });
  await project.up();
  expect(await look()).toEqual(before);
  expect(await verify(api)).toEqual({ ok: true, broken: [] });
});

describe('a start that must not happen', () => {
  let folder: string;
  let other: ComposeProject;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fiado-compose-'));
  });
  afterEach(async () => {
    await other.run('down', '-v', '--timeout', '1');
    await rm(folder, { recursive: true });
  });

  async function openWith(name: string, settings: Record<string, string>) {
    const file = join(folder, 'settings.env');
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(file, lines.join(''));
    // The shell goes before the file, so the mode is said where Compose looks.
    const { FIADO_MODE = 'sandbox' } = settings;
    return openProject(name, { SETTINGS_FILE: file, FIADO_MODE });
  }

  it('production without its secrets ends with their names, and no service runs', async () => {
    other = await openWith(`${PROJECT}-production`, {
      FIADO_MODE: 'production',
      POSTGRES_PASSWORD: 'a-password-of-production',
    });
    await other.fail('up', '-d');

    const said = await other.run('logs', '--no-color', 'settings');
    const names = ['REDIS_PASSWORD', 'GRAFANA_PASSWORD', 'PUBLIC_URL', 'ENCRYPTION_KEY'];
    for (const name of [...names, 'OPS_API_KEY', 'SMS_PROVIDER']) {
      expect(said).toContain(`${name}: `);
    }
    expect(said).not.toContain('POSTGRES_PASSWORD: ');
    expect(await other.run('ps', '-q', 'accounts', 'gateway')).toBe('');
  });

  it('a migration that fails holds every service back', async () => {
    other = await openWith(`${PROJECT}-migration`, {
      DATABASE_URL: 'postgresql://fiado:not-the-password@postgres:5432/fiado',
    });
    await other.fail('up', '-d');

    expect(await other.run('logs', '--no-color', 'migrate')).toContain(
      'The schema accounts is not migrated',
    );
    expect(await other.run('ps', '-q', 'accounts', 'gateway')).toBe('');
  });
});
