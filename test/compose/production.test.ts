import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { PROCESS_NAMES } from '@fiado/contracts/process-names';
import { openProject, type ComposeProject } from './support/project';
import { firstLooks } from './support/runbook-commands';
import { productionEnv } from './support/production-env';

const PROJECT = `fiado-test-${randomUUID().slice(0, 8)}`;
const STORES = ['postgres', 'redis'];
/** Requests at once, far beyond a limit of one in a second. */
const BURST = 20;

let folder: string;
let file: string;
let production: ComposeProject;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-production-'));
  file = join(folder, 'production.env');
  production = await openProject(PROJECT, { PRODUCTION_ENV: file });
  await writeFile(file, productionEnv({ RATE_LIMIT_PER_SECOND: '0' }), { mode: 0o600 });
  await production.run('build', 'settings');
  await production.run('up', '-d');
}, 900_000);
afterAll(async () => {
  await production.run('down', '-v', '--remove-orphans', '--timeout', '10');
  await rm(folder, { recursive: true });
}, 60_000);

async function containers(services: readonly string[]): Promise<string[]> {
  return (await Promise.all(services.map((service) => production.idsOf(service)))).flat();
}

/** Statuses of requests at once by ops. */
async function burst(): Promise<number[]> {
  const url = `${production.baseUrl}/v1/admin/jobs`;
  const [, key = ''] = /^OPS_API_KEY=(.*)$/m.exec(await readFile(file, 'utf8')) ?? [];
  const send = () => fetch(url, { headers: { authorization: key } });
  return (await Promise.all(Array.from({ length: BURST }, send))).map(({ status }) => status);
}

async function change(name: string, value: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`));
}

it('production runs, and its balances reconcile', async () => {
  expect(await production.run('run', '--rm', '--no-deps', 'ops', 'verify')).toContain('ok');
}, 60_000);

it('Compose without production.env changes nothing and names the right command', async () => {
  const before = await containers([...PROCESS_NAMES, ...STORES]);
  const sandbox = await openProject(PROJECT);
  await sandbox.fail('up', '-d');

  expect(await production.run('logs', '--no-color', 'settings')).toContain('./production');
  expect(await containers([...PROCESS_NAMES, ...STORES])).toEqual(before);
  expect(await burst()).not.toContain(503);
  await production.run('up', '-d');
}, 120_000);

it('no container shows a secret in its definition', async () => {
  const ids = (await production.run('ps', '-q')).trim().split('\n');
  const { stdout } = await promisify(execFile)('docker', ['inspect', ...ids]);
  const settings = Object.entries(parseEnv(await readFile(file, 'utf8')));
  const secrets = settings.filter(([name]) => /(PASSWORD|_KEY|_PEPPER|AUTH_TOKEN)$/.test(name));

  expect(secrets.length).toBeGreaterThan(15);
  expect(secrets.filter(([, value = '']) => stdout.includes(value))).toEqual([]);
});

it('the commands of the alerts run as their pages print them', async () => {
  const [id = ''] = await production.idsOf('transactions');
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const { stdout: address } = await promisify(execFile)('docker', ['inspect', '-f', format, id]);
  const labels = [
    'JOB=transactions',
    'SCHEMA=transactions',
    'QUEUE=payments',
    'UPSTREAM=accounts',
    `INSTANCE=${address.trim()}:3002`,
  ].join('; ');
  const commands = firstLooks();
  expect(commands.length).toBeGreaterThan(30);

  const failed: string[] = [];
  for (const [page, command] of commands) {
    // A search that finds nothing is no fault, so what counts is the first command of a pipe.
    const line = `${labels}; ${command}\nexit \${PIPESTATUS[0]}`;
    await production.script('/bin/bash', '-c', line).catch((error: Error) => {
      // A new installation has no books.
      if (!error.message.includes('REPORT_NOT_FOUND')) failed.push(`${page}: ${error.message}`);
    });
  }
  expect(failed).toEqual([]);
}, 600_000);

it('a changed variable reaches the services, and leaves the stores alone', async () => {
  expect(await burst()).not.toContain(429);
  const [services, stores] = [await containers(PROCESS_NAMES), await containers(STORES)];

  await change('RATE_LIMIT_PER_SECOND', '1');
  await production.run('up', '-d');
  expect(await burst()).toContain(429);
  expect(await containers(STORES)).toEqual(stores);
  expect(await containers(PROCESS_NAMES)).not.toEqual(services);

  const after = await containers(PROCESS_NAMES);
  await production.run('up', '-d');
  expect(await containers(PROCESS_NAMES)).toEqual(after);
}, 180_000);

it('docker/release replaces every instance', async () => {
  const before = await containers(PROCESS_NAMES);
  await change('RATE_LIMIT_PER_SECOND', '0');
  await production.run('run', '--rm', '--no-deps', 'settings');
  await production.run('run', '--rm', '--no-deps', 'migrate');
  await production.script('docker/release');

  const after = await containers(PROCESS_NAMES);
  expect(after).toHaveLength(PROCESS_NAMES.length);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  expect(await burst()).not.toContain(429);
}, 300_000);
