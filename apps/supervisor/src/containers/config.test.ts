import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from '@fiado/chassis/config';
import { ContainersConfig, withStores } from './config';

const SERVICES = ['ACCOUNTS', 'TRANSACTIONS', 'PAYMENTS', 'NOTIFIER'];

it('a sandbox finds Postgres and Redis of its containers and needs no variable', () => {
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

it('production with stores elsewhere needs no password of those of its containers', () => {
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
