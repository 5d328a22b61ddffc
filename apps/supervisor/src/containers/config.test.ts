import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { ConfigError, loadConfig } from '@fiado/shared/chassis/config';
import { getMetadataStorage } from 'class-validator';

import { ContainersConfig, withStores } from './config';

const ROOT = resolve(__dirname, '../../../..');

/** Said by the image, or fixed by the services' own lines in docker-compose.yml. */
const FIXED = ['HOST', 'ACCOUNTS_PORT', 'TRANSACTIONS_PORT', 'PAYMENTS_PORT', 'NOTIFIER_PORT'];

it('a sandbox finds the stores beside it and needs no variable', () => {
  const { DATABASE_URL, REDIS_URL } = load({ FIADO_MODE: 'sandbox' });

  expect(DATABASE_URL).toBe('postgresql://fiado:fiado-local-only@postgres:5432/fiado');
  expect(REDIS_URL).toBe('redis://:fiado-local-only@redis:6379');
});

it('a password of any characters is part of the address', () => {
  const { DATABASE_URL } = load({ FIADO_MODE: 'sandbox', POSTGRES_PASSWORD: 'a/b@c:d' });

  expect(decodeURIComponent(new URL(DATABASE_URL ?? '').password)).toBe('a/b@c:d');
});

it('production names everything that it misses at once, and takes no password of the sandbox', () => {
  expect(problemsOf({ FIADO_MODE: 'production', REDIS_PASSWORD: 'fiado-local-only' })).toEqual([
    'POSTGRES_PASSWORD: is required in production',
    'REDIS_PASSWORD: is required in production',
    'OPS_API_KEY: is required in production',
    'INTERNAL_TOKEN_SECRET: is required in production',
    'ACCESS_TOKEN_PRIVATE_KEY: is required in production',
    'CODE_PEPPER: is required in production',
    'ENCRYPTION_KEY: is required in production',
    'SMS_PROVIDER: console is not for production: set it to twilio',
  ]);
});

it('production with stores elsewhere needs no password of those beside it', () => {
  const elsewhere = {
    DATABASE_URL: 'postgresql://owner:secret@db.example.com/fiado',
    REDIS_URL: 'rediss://:secret@redis.example.com:6379',
  };
  expect(problemsOf({ FIADO_MODE: 'production', ...elsewhere }).join()).not.toMatch(/PASSWORD/);
});

it.each(['docker-compose.yml', '.env.example'])('%s has a line for every variable', (file) => {
  const text = readFileSync(resolve(ROOT, file), 'utf8');
  const storage = getMetadataStorage();
  const names = storage
    .getTargetValidationMetadatas(ContainersConfig, '', true, false)
    .map(({ propertyName }) => propertyName);
  const missing = names.filter((name) => !new RegExp(`^ *${name}[:=]`, 'm').test(text));

  // The stores' passwords belong to the containers only; the prefix to houses that share a Redis.
  const elsewhere = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'QUEUE_PREFIX'];
  const exempt = file === '.env.example' ? elsewhere : FIXED;
  expect(missing.filter((name) => !exempt.includes(name))).toEqual([]);
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
