import { storesWithoutTls } from './weak-settings';

const production = (urls: Record<string, string>, STORE_TLS = 'required') =>
  storesWithoutTls({ FIADO_MODE: 'production', STORE_TLS, ...urls });

it.each([
  ['DATABASE_URL', 'postgres://u:p@db.internal/fiado'],
  ['DATABASE_URL', 'postgres://u:p@10.0.0.5:6432/fiado?sslmode=disable'],
  ['QUEUES_DATABASE_URL', 'postgresql://u:p@db.internal/fiado'],
  ['READ_DATABASE_URL', 'postgresql://u:p@replica.internal/fiado'],
  ['REDIS_URL', 'redis://u:p@redis.internal:6379/0'],
  ['REDIS_URL', 'redis+sentinel://u:p@127.0.0.1:26379,redis.internal:26379/name'],
])('%s %s leads to another machine without TLS', (name, url) => {
  expect(production({ [name]: url })).toEqual([name]);
  expect(production({ [name]: url }, 'off')).toEqual([]);
  expect(storesWithoutTls({ FIADO_MODE: 'sandbox', [name]: url })).toEqual([]);
});

it.each([
  ['DATABASE_URL', 'postgres://u:p@localhost/fiado'],
  ['DATABASE_URL', 'postgres://u:p@[::1]:5432/fiado'],
  ['DATABASE_URL', 'postgres://u:p@db.internal/fiado?sslmode=verify-full'],
  ['REDIS_URL', 'rediss://u:p@redis.internal:6379/0'],
  ['REDIS_URL', 'redis://u:p@127.0.0.1:6379/0'],
])('%s %s is on this machine or has TLS', (name, url) => {
  expect(production({ [name]: url })).toEqual([]);
});
