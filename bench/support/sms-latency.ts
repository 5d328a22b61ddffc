import type { World } from './world';

/** Where the measured calls begin: the time of the database, and the number of calls before. */
export interface Mark {
  since: Date;
  calls: number;
}

export async function markCalls({ db, twilio }: World): Promise<Mark> {
  const [row] = await db.query<{ since: Date }>('postgres', 'SELECT now() AS since');
  return { since: row?.since ?? new Date(), calls: twilio.posts.length };
}

/**
 * For each order since a mark, the milliseconds from the database's time of its statement (a little
 * before its commit) to the moment that the provider is called. All SMS must have been sent.
 * @throws Error when the provider was called more or less often than orders were placed
 */
export async function smsLatencies(
  { db, twilio, market }: World,
  database: string,
  { since, calls }: Mark,
): Promise<number[]> {
  const orders = await db.query<{ store: string; at: number }>(
    database,
    `SELECT corner_store_id AS store, extract(epoch FROM created_at)::float8 * 1000 AS at
       FROM transactions.transactions WHERE created_at >= $1 ORDER BY created_at`,
    [since],
  );
  const made = twilio.posts.slice(calls).toSorted((one, other) => one.at - other.at);
  if (made.length !== orders.length) {
    throw new Error(`${orders.length} orders had ${made.length} SMS`);
  }
  // A phone's SMS are sent in the order of its orders, which are seconds apart.
  const phoneOf = new Map(market.stores.map(({ cornerStoreId, phone }) => [cornerStoreId, phone]));
  const waiting = new Map<string, number[]>();
  for (const { form, at } of made) {
    const phone = form.To ?? '';
    waiting.set(phone, [...(waiting.get(phone) ?? []), at]);
  }
  return orders.map(({ store, at }) => {
    const atMs = waiting.get(phoneOf.get(store) ?? '')?.shift();
    if (atMs === undefined) throw new Error('An order had no SMS');
    return atMs - at;
  });
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
