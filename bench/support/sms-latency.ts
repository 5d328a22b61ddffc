import { untilCalled } from './order-load';
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
  const made = twilio.posts.length - calls;
  if (made !== orders.length) throw new Error(`${orders.length} orders had ${made} SMS`);
  // A phone's SMS are sent in the order of its orders, which are seconds apart.
  const phoneOf = new Map(market.stores.map(({ cornerStoreId, phone }) => [cornerStoreId, phone]));
  const waiting = callsByPhone({ twilio }, calls);
  return orders.map(({ store, at }) => {
    const atMs = waiting.get(phoneOf.get(store) ?? '')?.shift();
    if (atMs === undefined) throw new Error('An order had no SMS');
    return atMs - at;
  });
}

/** Waits for the SMS of all orders since a mark, also of those whose answer did not arrive. */
export async function untilSmsSince(
  world: World,
  database: string,
  { since, calls }: Mark,
): Promise<void> {
  const [row] = await world.db.query<{ orders: number }>(
    database,
    'SELECT count(*)::int AS orders FROM transactions.transactions WHERE created_at >= $1',
    [since],
  );
  await untilCalled(world, calls + (row?.orders ?? 0));
}

/** Times of the provider's calls after the first ones, by phone. */
export function callsByPhone(
  { twilio }: Pick<World, 'twilio'>,
  first: number,
): Map<string, number[]> {
  const calls = twilio.posts.slice(first).toSorted((one, other) => one.at - other.at);
  const byPhone = new Map<string, number[]>();
  for (const { form, at } of calls) {
    const phone = form.To ?? '';
    byPhone.set(phone, [...(byPhone.get(phone) ?? []), at]);
  }
  return byPhone;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
