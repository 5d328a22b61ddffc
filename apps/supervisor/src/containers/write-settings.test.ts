import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { loadConfig } from '@fiado/shared/chassis/config';

import { loadSecrets } from '../secrets';
import { ContainersConfig, withStores } from './config';
import { writeSettings } from './write-settings';

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
  expect(await names('gateway')).toContain('INTERNAL_TOKEN_SECRET');
  expect(await names('gateway')).not.toContain('ENCRYPTION_KEY');
  expect(await names('gateway')).not.toContain('DATABASE_URL');
  expect(await names('payments')).not.toContain('ENCRYPTION_KEY');

  const url = join(settings, 'payments/DATABASE_URL');
  expect(await readFile(url, 'utf8')).toMatch(/^postgresql:\/\/fiado_payments:.*@postgres:5432/);
  expect(await readFile(url, 'utf8')).not.toContain('the-owners-password');
  expect((await stat(url)).mode & 0o777).toBe(0o600);
});

it('what is no longer set is gone, and secrets that were made stay', async () => {
  const secret = join(settings, 'accounts/ENCRYPTION_KEY');
  const made = await readFile(secret, 'utf8');
  await write({ QUEUE_PREFIX: 'other' });
  expect(await names('accounts')).toContain('QUEUE_PREFIX');

  await write({});
  expect(await names('accounts')).not.toContain('QUEUE_PREFIX');
  expect(await readFile(secret, 'utf8')).toBe(made);
});

it('a process reads a variable, else the file that it names, else its settings', async () => {
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
