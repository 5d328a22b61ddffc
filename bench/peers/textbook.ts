import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePorts } from '@fiado/chassis/testing/free-ports';
import { until } from '@fiado/chassis/testing/until';
import { Child } from '../support/child';
import type { World } from '../support/world';
import { CREDIT_LIMIT } from '../support/market';

const DATABASE = 'textbook';
const START_DEADLINE_MS = 20_000;

export interface Textbook {
  url: string;
  apiKey: string;
}

/** Starts the textbook system for the corner stores of the market, with its queue in Redis. */
export async function startTextbook(world: World, redisUrl: string): Promise<Textbook> {
  const { db, folder, cleanup, twilio, market } = world;
  await db.create(DATABASE);
  const databaseUrl = db.urlOf(DATABASE);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const apiKey = randomBytes(32).toString('base64url');
  const start = (name: string, ...args: string[]): void => {
    const child = new Child({
      name,
      command: process.execPath,
      args: [join(__dirname, `${name}.js`), databaseUrl, redisUrl, ...args],
      env: {},
      folder,
    });
    cleanup.add(() => child.stop());
  };
  start('textbook-orders', String(port), apiKey);
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until('the textbook system answers', answers, START_DEADLINE_MS);
  // After the orders' process has made the tables.
  start('textbook-notifier', twilio.url);
  await db.query(
    DATABASE,
    `INSERT INTO corner_stores (id, phone, limit_cents, used_cents)
     SELECT id, phone, $3, 0 FROM unnest($1::uuid[], $2::text[]) AS store(id, phone)`,
    [
      market.stores.map(({ cornerStoreId }) => cornerStoreId),
      market.stores.map(({ phone }) => phone),
      CREDIT_LIMIT * 100,
    ],
  );
  return { url, apiKey };
}
