import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '@fiado/chassis/config';
import { loadSecrets } from '../secrets';
import { ContainersConfig, withStores } from './config';
import { keepMode, writeSettings } from './write-settings';

const READ_SETTINGS = resolve(__dirname, '../../../../docker/read-settings.sh');
const DATABASE_URL = 'postgresql://fiado:the-owners-password@postgres:5432/fiado';

let folder: string;
let settings: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fiado-settings-'));
  settings = join(folder, 'settings');
  await write({});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(env: Record<string, string>): Promise<void> {
  const config = loadConfig(
    ContainersConfig,
    withStores({ FIADO_MODE: 'sandbox', DATABASE_URL, ...env }),
  );
  const secrets = await loadSecrets(config, folder);
  await writeSettings({ config, secrets, databaseUrl: DATABASE_URL, inherited: {} }, settings);
}

function names(service: string): Promise<string[]> {
  return readdir(join(settings, service));
}

/** What a process reads that is started by the image's entry point. */
function environmentOf(env: Record<string, string>): Record<string, string> {
  const printed = execFileSync(READ_SETTINGS, ['-p', 'JSON.stringify(process.env)'], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(printed.toString()) as Record<string, string>;
}

it('each service gets its own settings, for the eyes of its owner, and no owner of the database', async () => {
  expect(await names('gateway')).toContain('INTERNAL_TOKEN_PRIVATE_KEY');
  expect(await names('gateway')).not.toContain('REDIS_URL');
  expect(await names('gateway')).not.toContain('ENCRYPTION_KEY');
  expect(await names('gateway')).not.toContain('DATABASE_URL');
  expect(await names('payments')).not.toContain('ENCRYPTION_KEY');

  const url = join(settings, 'payments/DATABASE_URL');
  expect(await readFile(url, 'utf8')).toMatch(/^postgresql:\/\/fiado_payments:.*@postgres:5432/);
  expect(await readFile(url, 'utf8')).not.toContain('the-owners-password');
  expect((await stat(url)).mode & 0o777).toBe(0o600);
});

it('the console gets its addresses, and no secret', async () => {
  const given = { PORT: '4000', CONSOLE_URL: 'https://console.example.com' };
  await write({ ...given, GATEWAY_URL: 'http://gateway:4000' });
  const read = (name: string) => readFile(join(settings, 'console', name), 'utf8');

  expect(await read('GATEWAY_URL')).toBe('http://gateway:4000');
  expect(await read('CONSOLE_URL')).toBe('https://console.example.com');
  expect((await names('console')).join()).not.toMatch(/KEY|SECRET|PEPPER|TOKEN|DATABASE|REDIS/);
});

it('behind PgBouncer only the queues in Postgres go past it, and no service gets the owner', async () => {
  const env = {
    DATABASE_URL,
    MIGRATION_DATABASE_URL: 'postgresql://fiado:the-owners-password@direct:5432/fiado',
    POOL_SIZE: '6',
    PREPARED_STATEMENTS: 'off',
  };
  await write(env);
  const read = (name: string) => readFile(join(settings, 'payments', name), 'utf8');
  expect(await read('DATABASE_URL')).toMatch(/^postgresql:\/\/fiado_payments:.*@postgres:5432/);
  expect(await read('QUEUES_DATABASE_URL')).toMatch(/^postgresql:\/\/fiado_bullmq:.*@direct:5432/);
  expect([await read('POOL_SIZE'), await read('PREPARED_STATEMENTS')]).toEqual(['6', 'off']);
  expect(await names('payments')).not.toContain('MIGRATION_DATABASE_URL');

  const others = {
    ...env,
    MIGRATION_DATABASE_URL: 'postgresql://postgres:other@direct:5432/fiado',
  };
  await expect(write(others)).rejects.toThrow(
    'MIGRATION_DATABASE_URL: must be a URL with the user and the password of DATABASE_URL',
  );
});

it('payments alone gets the replica, as its own role', async () => {
  await write({ READ_DATABASE_URL: DATABASE_URL.replace('@postgres', '@replica') });
  const own = await readFile(join(settings, 'payments/READ_DATABASE_URL'), 'utf8');
  const primary = await readFile(join(settings, 'payments/DATABASE_URL'), 'utf8');
  expect(own).toBe(primary.replace('@postgres', '@replica'));
  expect(own).toContain('fiado_payments');
  expect(await names('transactions')).not.toContain('READ_DATABASE_URL');

  const ofAnother = 'postgresql://postgres:other@replica:5432/fiado';
  await expect(write({ READ_DATABASE_URL: ofAnother })).rejects.toThrow(
    'READ_DATABASE_URL: must be a URL with the user and the password of DATABASE_URL',
  );
});

it('the stores get their own passwords, Redis as hashes, and ops its key alone', async () => {
  await write({ OPS_API_KEY: 'k'.repeat(40), PAYMENTS_REDIS_PASSWORD: 'of-payments' });
  const read = (file: string) => readFile(join(settings, file), 'utf8');

  expect(await names('postgres')).toEqual(['POSTGRES_PASSWORD']);
  expect(await names('metrics')).toEqual(['POSTGRES_PASSWORD']);
  expect(await read('metrics/POSTGRES_PASSWORD')).not.toContain('the-owners-password');
  expect(await names('grafana')).toEqual(['GRAFANA_PASSWORD']);
  expect(await names('ops')).toEqual(['OPS_API_KEY']);
  expect(await read('steps/DATABASE_URL')).toBe(DATABASE_URL);
  const users = await read('redis/users.acl');
  const hash = createHash('sha256').update('of-payments').digest('hex');
  expect(users).toContain(`user payments on #${hash} ~{fiado-`);
  expect(users).not.toMatch(/of-payments|fiado-local-only|\{[A-Z]|^#/m);
});

it('removed settings are gone, and generated secrets stay', async () => {
  const secret = join(settings, 'accounts/ENCRYPTION_KEY');
  const made = await readFile(secret, 'utf8');
  await write({ QUEUE_PREFIX: 'other' });
  expect(await names('accounts')).toContain('QUEUE_PREFIX');

  await write({});
  expect(await names('accounts')).not.toContain('QUEUE_PREFIX');
  expect(await readFile(secret, 'utf8')).toBe(made);
});

it('settings of a sandbox do not replace those of production', async () => {
  await keepMode('sandbox', settings);

  await writeFile(join(settings, 'payments/FIADO_MODE'), 'production');
  await keepMode('production', settings);
  await expect(keepMode('sandbox', settings)).rejects.toThrow('./production');
});

it('a process reads CODE_PEPPER, else the file in CODE_PEPPER_FILE, else its settings', async () => {
  await mkdir(join(folder, 'secrets'));
  const file = join(folder, 'secrets/pepper');
  await writeFile(file, 'from a file\n');
  const SETTINGS_DIR = join(settings, 'accounts');
  const own = await readFile(join(SETTINGS_DIR, 'CODE_PEPPER'), 'utf8');

  expect(environmentOf({ SETTINGS_DIR }).CODE_PEPPER).toBe(own);
  expect(environmentOf({ SETTINGS_DIR, CODE_PEPPER: '' }).CODE_PEPPER).toBe(own);
  expect(environmentOf({ SETTINGS_DIR, CODE_PEPPER_FILE: file }).CODE_PEPPER).toBe('from a file');
  expect(
    environmentOf({ SETTINGS_DIR, CODE_PEPPER: 'x', CODE_PEPPER_FILE: file }).CODE_PEPPER,
  ).toBe('x');
  expect(environmentOf({ SETTINGS_DIR, ACCOUNTS_PORT: '1' }).ACCOUNTS_PORT).toBe('1');
});
