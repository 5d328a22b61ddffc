import type { Market } from './market';
import type { System } from './system';

/** Orders of the filler's first and last month. */
const monthsOf = (now: number) => {
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString();
  return { old: `from=${day(395)}&to=${day(365)}`, fresh: `from=${day(20)}&to=${day(10)}` };
};
/** Pages that are followed by their cursors. */
const PAGES = 3;

/**
 * Calls every list and look-up of orders, debts, deposits and messages, with each filter and the first
 * pages of each list.
 * @returns calls that did not succeed
 */
export async function readEveryList(
  system: System,
  { apiKey, wholesalerId, stores }: Market,
): Promise<string[]> {
  const failed: string[] = [];
  const read = async (key: string, path: string): Promise<object> => {
    try {
      return await readPages(system, key, path);
    } catch (error) {
      failed.push(String(error));
      return {};
    }
  };
  const store = stores.at(-1);
  if (store === undefined) throw new Error('The market has no store');
  for (const path of pathsOfWholesaler(store)) await read(apiKey, path);
  for (const path of pathsOfOps(wholesalerId, store)) await read(system.opsKey, `/admin${path}`);

  const { transactions = [] } = (await read(system.opsKey, '/admin/transactions?status=paid')) as {
    transactions?: Array<{ transactionId: string }>;
  };
  const id = transactions[0]?.transactionId;
  for (const path of [`/transaction/${id}`, `/transaction/${id}/payment`]) await read(apiKey, path);
  const ofOrder = ['transactions/', 'receivables?transactionId=', 'messages?transactionId='];
  for (const path of ofOrder) await read(system.opsKey, `/admin/${path}${id}`);
  return failed;
}

/** @returns the last page that was read */
async function readPages(system: System, key: string, path: string): Promise<object> {
  const and = path.includes('?') ? '&' : '?';
  let page = await system.call<{ nextCursor?: unknown }>(key, 'GET', path);
  for (let read = 1; read < PAGES && typeof page.nextCursor === 'string'; read += 1) {
    const cursor = encodeURIComponent(page.nextCursor);
    page = await system.call(key, 'GET', `${path}${and}cursor=${cursor}`);
  }
  return page;
}

type Store = Market['stores'][number];

function pathsOfWholesaler({ externalId, cornerStoreId }: Store): string[] {
  const { old, fresh } = monthsOf(Date.now());
  const since = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const statuses = ['pending-verification', 'on-hold', 'delivery', 'in-payment-default', 'paid'];
  return [
    '/transaction',
    '/transaction?limit=100',
    ...[...statuses, 'expired'].map((status) => `/transaction?status=${status}`),
    `/transaction?${old}`,
    `/transaction?${fresh}&status=paid`,
    `/transaction?${old}&status=cancelled`,
    `/transaction?cornerStoreId=${cornerStoreId}`,
    `/transaction?cornerStoreId=${cornerStoreId}&status=paid`,
    `/transaction?paidFrom=${since(2)}`,
    `/transaction?updatedSince=${since(0.04)}`,
    `/transaction?updatedSince=${since(300)}&status=expired`,
    '/transaction/external/pedido-5000',
    `/corner-store/external/${externalId}`,
    ...[1, 4, 4_000].map((page) => `/corner-store/default-information?page=${page}`),
  ];
}

function pathsOfOps(wholesalerId: string, store: Store): string[] {
  const { old } = monthsOf(Date.now());
  const { cornerStoreId, userId, phone } = store;
  const of = [`wholesalerId=${wholesalerId}`, `cornerStoreId=${cornerStoreId}`];
  const orders = ['on-hold', 'paid', 'in-payment-default', 'cancelled'];
  const deposits = ['unmatched', 'conflicting'];
  const messages = ['pending', 'sent', 'delivered', 'failed', 'unknown', 'expired'];
  return [
    '/overview',
    '/corner-stores',
    ...['', '/credit-entries', '/timeline', `/timeline?${old}`, '/payouts'].map(
      (path) => `/corner-stores/${cornerStoreId}${path}`,
    ),
    ...['', ...of, 'wholesalerTransactionId=pedido-5000', 'incrementalID=5000', old].map(
      (filter) => `/transactions?${filter}`,
    ),
    ...['', ...of].flatMap((filter) =>
      orders.map((status) => `/transactions?${filter}&status=${status}`),
    ),
    `/transactions?${of[0]}&${old}`,
    `/transactions?${of[1]}&${old}&status=paid`,
    ...['', ...of].flatMap((filter) =>
      ['', '&status=pending', '&status=paid', '&status=overdue'].map(
        (status) => `/receivables?${filter}${status}`,
      ),
    ),
    `/receivables?status=overdue&dueBefore=${new Date().toISOString()}`,
    ...['', ...of].flatMap((filter) =>
      ['', '&status=open', '&status=closed'].map((status) => `/defaults?${filter}${status}`),
    ),
    ...['', ...deposits.map((status) => `status=${status}`)].map((filter) => `/deposits?${filter}`),
    ...[
      '',
      `phoneNumber=${encodeURIComponent(phone)}`,
      `userId=${userId}`,
      ...messages.map((status) => `status=${status}`),
    ].map((filter) => `/messages?${filter}`),
    '/jobs?state=failed',
    ...['pedido-5000', '5000', phone, '0000000005000', '500000000005'].map(
      (q) => `/search?q=${encodeURIComponent(q)}`,
    ),
  ];
}
