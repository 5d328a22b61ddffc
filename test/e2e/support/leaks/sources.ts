import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { withRedis } from '@fiado/chassis/testing/redis-server';
import { escapeIdentifier, type Client } from 'pg';
import type { Redis } from 'ioredis';
import type { RunningSystem } from '../system';
import type { Place } from './needles';

const SYSTEM_SCHEMAS = ['pg_catalog', 'information_schema', 'pg_toast'];

/**
 * Every value of every row of every table, BullMQ's and the migrations' included, with the table's
 * and the column's name. Bytes come twice: in hex, and as the text that they may be.
 */
export async function rowsOf(owner: Client): Promise<Place[]> {
  const tables = await owner.query<{ schema: string; table: string }>(
    `SELECT table_schema AS schema, table_name AS table FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema <> ALL ($1)`,
    [SYSTEM_SCHEMAS],
  );
  const places: Place[] = [];
  for (const { schema, table } of tables.rows) {
    const name = `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
    const { rows } = await owner.query<{ row: object }>(
      `SELECT to_jsonb(one) AS row FROM ${name} one`,
    );
    for (const { row } of rows) {
      for (const [column, value] of Object.entries(row)) {
        places.push(...placesOf(`${schema}.${table}.${column}`, value));
      }
    }
  }
  return places;
}

function placesOf(place: string, value: unknown): Place[] {
  if (value === null) return [];
  if (typeof value !== 'string') return [{ place, text: JSON.stringify(value) }];
  if (!value.startsWith('\\x')) return [{ place, text: value }];
  const bytes = Buffer.from(value.slice(2), 'hex');
  return [
    { place, text: value },
    { place, text: bytes.toString() },
    { place, text: bytes.toString('latin1') },
  ];
}

/** The value of every key of a Redis, of whatever type, and the keys themselves. */
export async function keysOf(redisUrl: string): Promise<Place[]> {
  return withRedis(redisUrl, async (redis) => {
    const places: Place[] = [];
    for (const key of await redis.keys('*')) {
      const value = await valueOf(redis, key);
      places.push({ place: `redis ${key}`, text: `${key} ${JSON.stringify(value)}` });
    }
    return places;
  });
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  // A key may end between the two commands.
  if (type === 'none') return undefined;
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, 0, -1);
  if (type === 'stream') return redis.xrange(key, '-', '+');
  throw new Error(`The key ${key} is of the type ${type}`);
}

/** Names and labels of all metrics of all processes; the values are numbers. */
export async function metricsOf({ ports }: RunningSystem): Promise<Place[]> {
  return Promise.all(
    ports.map(async (port) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return { place: `metrics of ${port}`, text: text.replaceAll(/ \S+$/gm, '') };
    }),
  );
}

/** The files below a folder, as the text that they may be, but for those in `except`, by default none. */
export async function filesOf(folder: string, except = /(?!)/): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !except.test(path));
  return Promise.all(
    paths.map(async (path) => {
      const text = (await readFile(join(folder, path))).toString('latin1');
      return { place: `file ${path}`, text };
    }),
  );
}
