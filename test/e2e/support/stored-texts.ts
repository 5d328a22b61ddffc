import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { S3StandIn } from '@fiado/chassis/testing/s3-stand-in';
import { withRedis } from '@fiado/chassis/testing/redis-server';
import type { Client } from 'pg';

const SYSTEM_SCHEMAS = ['pg_catalog', 'information_schema', 'pg_toast'];

/** A text as it may be stored: plain, in hexadecimal as a dump prints bytes, or in base64. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  // The bits of a text in base64 depend on its place; these are whole whatever stands before it.
  const base64 = [0, 1, 2].map((at) => {
    const encoded = Buffer.concat([Buffer.alloc(at), bytes]).toString('base64');
    return encoded.slice(Math.ceil((at * 4) / 3), -4);
  });
  return [text, bytes.toString('hex'), ...base64];
}

/** The texts among these that a content has, as `place: text`. */
function hits(place: string, content: string | Buffer, texts: string[]): string[] {
  return texts
    .filter((text) => spellings(text).some((one) => content.includes(one)))
    .map((text) => `${place}: ${text}`);
}

/** Every table of every schema, the queues among them, as a dump would have it. */
export async function textsInDatabase(owner: Client, texts: string[]): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE relkind = 'r' AND nspname <> ALL ($1) AND nspname NOT LIKE 'pg_temp%'`,
    [SYSTEM_SCHEMAS],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    found.push(...hits(name, rows.map(({ row }) => row).join('\n'), texts));
  }
  return found.toSorted();
}

/** Every key of a Redis, with its name. */
export async function textsInRedis(url: string, texts: string[]): Promise<string[]> {
  return withRedis(url, async (redis) => {
    const found: string[] = [];
    for (const key of await redis.keys('*')) {
      const read: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        zset: () => redis.zrange(key, 0, -1),
        stream: () => redis.xrange(key, '-', '+'),
      };
      const type = await redis.type(key);
      const content = await read[type]?.();
      // A key may end between the two commands.
      if (content === undefined && type !== 'none') throw new Error(`A key of type ${type}`);
      found.push(...hits(key, `${key} ${JSON.stringify(content)}`, texts));
    }
    return found;
  });
}

/** What ten minutes do in Redis: a completed job is kept for so long. */
export async function endCompletedJobs(url: string): Promise<void> {
  await withRedis(url, async (redis) => {
    for (const key of await redis.keys('*:completed')) {
      const ids = await redis.zrange(key, 0, -1);
      const jobs = ids.map((id) => key.replace(/completed$/, id));
      await redis.del(key, ...jobs);
    }
  });
}

/** Files of a folder: images and logs. */
export async function textsInFolder(folder: string, texts: string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    found.push(...hits(entry.name, await readFile(join(entry.parentPath, entry.name)), texts));
  }
  return found;
}

export function textsInObjects({ objects }: S3StandIn, texts: string[]): string[] {
  return [...objects].flatMap(([key, { content }]) => hits(key, content, texts));
}
