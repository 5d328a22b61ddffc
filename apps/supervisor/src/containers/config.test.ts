import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { ConfigError, loadConfig, variablesOf } from '@fiado/shared/chassis/config';

import { ContainersConfig, withStores } from './config';

const ROOT = resolve(__dirname, '../../../..');

const SERVICES = ['ACCOUNTS', 'TRANSACTIONS', 'PAYMENTS', 'NOTIFIER'];

const names = variablesOf(ContainersConfig);

/** Keys and passwords, and URLs that hold one. */
const SECRETS = names.filter((name) =>
  /(PASSWORD|_KEY|_KEY_PREVIOUS|_PEPPER|_PEPPER_PREVIOUS|AUTH_TOKEN|CLIENT_SECRET|OTLP_HEADERS|DATABASE_URL|REDIS_URL)$/.test(
    name,
  ),
);

/** Said by the image, or fixed by the services' own lines in docker-compose.yml. */
const FIXED = ['HOST', 'ACCOUNTS_PORT', 'TRANSACTIONS_PORT', 'PAYMENTS_PORT', 'NOTIFIER_PORT'];

it('a sandbox finds Postgres and Redis beside it and needs no variable', () => {
  const { DATABASE_URL, REDIS_URL } = load({ FIADO_MODE: 'sandbox' });

  expect(DATABASE_URL).toBe('postgresql://fiado:fiado-local-only@postgres:5432/fiado');
  expect(REDIS_URL).toBe('redis://:fiado-local-only@redis:6379');
});

it('a password of any characters is part of the address', () => {
  const { DATABASE_URL } = load({ FIADO_MODE: 'sandbox', POSTGRES_PASSWORD: 'a/b@c:d' });

  expect(decodeURIComponent(new URL(DATABASE_URL ?? '').password)).toBe('a/b@c:d');
});

it('production names all missing settings at once, and refuses passwords of the sandbox', () => {
  expect(problemsOf({ FIADO_MODE: 'production', REDIS_PASSWORD: 'fiado-local-only' })).toEqual([
    'POSTGRES_PASSWORD: is the password of a sandbox, which everybody knows',
    'REDIS_PASSWORD: is the password of a sandbox, which everybody knows',
    ...SERVICES.map(
      (name) => `${name}_REDIS_PASSWORD: is the password of a sandbox, which everybody knows`,
    ),
    'GRAFANA_PASSWORD: is the password of a sandbox, which everybody knows',
    'PUBLIC_URL: is required in production',
    'OPS_API_KEY: is required in production',
    ...['GATEWAY', ...SERVICES].map(
      (name) => `${name}_INTERNAL_TOKEN_PRIVATE_KEY: is required in production`,
    ),
    'ACCESS_TOKEN_PRIVATE_KEY: is required in production',
    'CODE_PEPPER: is required in production',
    'ENCRYPTION_KEY: is required in production',
    'LENDER_NAME: is required in production',
    'SUPPORT_PHONE: is required in production',
    'PRIVACY_URL: is required in production',
    'SMS_PROVIDER: console is for the sandbox; production needs twilio',
  ]);
});

it('production with stores elsewhere needs no password of those beside it', () => {
  const elsewhere = {
    DATABASE_URL: 'postgresql://owner:0f7c2be19d5a4836@db.example.com/fiado',
    REDIS_URL: 'rediss://:5e8d1c07b46f92a3@redis.example.com:6379',
    GRAFANA_PASSWORD: '9b3e60d7f28c41a5',
  };
  expect(problemsOf({ FIADO_MODE: 'production', ...elsewhere }).join()).not.toMatch(
    /PASSWORD|_URL: its/,
  );
});

it('production takes no password of one letter, and none twice', () => {
  const password = '9b3e60d7f28c41a5';
  const passwords = {
    POSTGRES_PASSWORD: 'x',
    REDIS_PASSWORD: password,
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name}_REDIS_PASSWORD`, randomBytes(24).toString('hex')]),
    ),
    GRAFANA_PASSWORD: password,
  };
  expect(
    problemsOf({ FIADO_MODE: 'production', ...passwords }).filter((text) => /PASSWORD/.test(text)),
  ).toEqual([
    'POSTGRES_PASSWORD: is too easy to guess: make it with openssl rand -hex 24',
    'GRAFANA_PASSWORD: must differ from REDIS_PASSWORD',
  ]);
});

it('.env.example has a line for every variable, and docker-compose.yml for each that is no secret', () => {
  // The stores' passwords belong to the containers only; the prefix to systems that share a Redis.
  const ofContainers = names.filter((name) => name.endsWith('_PASSWORD'));
  expect(without('.env.example')).toEqual([...ofContainers, 'QUEUE_PREFIX'].toSorted());
  expect(without('docker-compose.yml')).toEqual([...SECRETS, ...FIXED].toSorted());
});

it('every secret may be a file that NAME_FILE names', () => {
  const [, list = ''] = /^for name in ([\s\S]*?); do/m.exec(read('docker/read-settings.sh')) ?? [];
  expect(list.split(/[\s\\]+/)).toEqual(expect.arrayContaining(SECRETS));
});

function read(file: string): string {
  return readFileSync(resolve(ROOT, file), 'utf8');
}

/** Variables that have no line in the file. */
function without(file: string): string[] {
  const text = read(file);
  return names.filter((name) => !new RegExp(`^ *${name}[:=]`, 'm').test(text)).toSorted();
}

function load(env: Record<string, string>): ContainersConfig {
  return loadConfig(ContainersConfig, withStores(env));
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
