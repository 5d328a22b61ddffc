import type { OrderStatus } from './order.rules';

/** Parameters of a list, such as `$3`. The list's others are its own. */
interface Parameters {
  cornerStoreId: string;
  status: string;
  /** Created at or after. */
  from: string;
  /** Created before. */
  to: string;
  /** Id of the last order of the page before. */
  cursor: string;
}

/** The filters of a list. */
interface Listed {
  cornerStoreId?: string | undefined;
  status?: OrderStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  cursor?: string | undefined;
}

interface Walk {
  /** After `transactions t`. */
  join: string;
  /** The conditions about corner store, status, creation and cursor; begins with AND. */
  where: string;
  order: string;
}

/**
 * How a list of one wholesaler's orders, or of one store's, is read: newest first by an index, so that
 * a page costs the same however many orders there are. Each list names the index by its order, because
 * the planner believes that orders of a status, and of a store, are evenly spread over time. Paid
 * orders are not: all of the last days are still owed, and a list that looks for them by time alone
 * passes all of these.
 */
export function newestFirst(list: Listed, parameters: Parameters): Walk {
  if (list.status !== undefined) return ofStatus(list, parameters);
  return list.cornerStoreId === undefined ? ofAny(list, parameters) : ofStore(list, parameters);
}

/**
 * The place after which the orders of a page are, at and id: the last order of the page before, or the
 * end of the period. One place, because an index scan begins at one bound and passes what is between
 * two.
 */
function placeOf({ to, cursor }: Parameters): string {
  return `
    FROM (SELECT last.created_at AS at, last.id FROM transactions last WHERE last.id = ${cursor}
          UNION ALL
          SELECT ${to}::timestamptz, '00000000-0000-0000-0000-000000000000'
           WHERE ${to} IS NOT NULL
          ORDER BY at, id LIMIT 1) place`;
}

const beginsAtNewest = ({ to, cursor }: Listed): boolean =>
  to === undefined && cursor === undefined;

/** Names parameters that a list has no value for; Postgres has to know their types. */
const withoutPlace = ({ to, cursor }: Parameters): string =>
  `${to}::timestamptz IS NULL AND ${cursor}::uuid IS NULL`;

/** By transactions_newest. */
function ofAny(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status, from } = parameters;
  const begin = beginsAtNewest(list)
    ? withoutPlace(parameters)
    : `(t.created_at, t.id) < (SELECT at, id ${placeOf(parameters)})`;
  return {
    join: '',
    where: `
      AND ${status}::text IS NULL AND ${cornerStoreId}::uuid IS NULL
      AND (${from}::timestamptz IS NULL OR t.created_at >= ${from}) AND ${begin}`,
    order: 't.created_at DESC, t.id DESC',
  };
}

/**
 * By transactions_of_status, or of a store by transactions_of_store. A range of one status, and of one store, and
 * an order by it ask for the one index. The range has one condition at each end, for the reason that placeOf has
 * one place.
 */
function ofStatus(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status, from } = parameters;
  const isOfStore = list.cornerStoreId !== undefined;
  const columns = isOfStore ? ['t.corner_store_id', 't.status'] : ['t.status'];
  const key = columns.join(', ');
  const value = isOfStore ? `${cornerStoreId}::uuid, ${status}::text` : `${status}::text`;
  const begin = beginsAtNewest(list)
    ? `(${key}) <= (${value}) AND ${withoutPlace(parameters)}`
    : `(${key}, t.created_at, t.id) < (SELECT ${value}, at, id ${placeOf(parameters)})`;
  const end =
    list.from === undefined
      ? `(${key}) >= (${value}) AND ${from}::timestamptz IS NULL`
      : `(${key}, t.created_at) >= (${value}, ${from}::timestamptz)`;
  const store = isOfStore ? 'true' : `${cornerStoreId}::uuid IS NULL`;
  const order = [...columns, 't.created_at', 't.id'].map((column) => `${column} DESC`);
  return { join: '', where: `AND ${begin} AND ${end} AND ${store}`, order: order.join(', ') };
}

/**
 * By credit_entries_line: each order begins with one hold, of the same time. With a place the store is a range
 * too: of two conditions on the time alone the planner would expect a few rows, and read all of them.
 */
function ofStore(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status, from } = parameters;
  const place = placeOf(parameters);
  const period = beginsAtNewest(list)
    ? `hold.corner_store_id = ${cornerStoreId} AND ${withoutPlace(parameters)}
       AND (${from}::timestamptz IS NULL OR hold.created_at >= ${from})`
    : `(hold.corner_store_id, hold.created_at) <= (SELECT ${cornerStoreId}::uuid, at ${place})
       AND (hold.created_at, t.id) < (SELECT at, id ${place})
       AND (hold.corner_store_id, hold.created_at)
             >= (${cornerStoreId}, coalesce(${from}::timestamptz, '-infinity'))`;
  return {
    join: `JOIN credit_entries hold ON hold.transaction_id = t.id AND hold.kind = 'hold'`,
    where: `AND ${status}::text IS NULL AND ${period}`,
    order: 'hold.corner_store_id DESC, hold.created_at DESC, t.id DESC',
  };
}
