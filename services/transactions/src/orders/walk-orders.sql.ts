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

/** The filters of a list, and its order; without one the newest first. */
interface Listed {
  cornerStoreId?: string | undefined;
  status?: OrderStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  cursor?: string | undefined;
  oldestFirst?: boolean | undefined;
}

interface Walk {
  /** After `transactions t`. */
  join: string;
  /** The conditions about corner store, status, creation and cursor; begins with AND. */
  where: string;
  order: string;
}

/** Which end of the period a walk begins at, and which one it ends at. */
const NEWEST_FIRST = {
  begin: 'to',
  end: 'from',
  after: '<',
  upTo: '>=',
  last: (from: string) => `${from}::timestamptz`,
  endless: '-infinity',
  order: 'DESC',
  laterPlace: 'ASC',
} as const;
const OLDEST_FIRST = {
  begin: 'from',
  end: 'to',
  after: '>',
  // Up to the last moment and not before the end: of `(store, created_at) < (store, end)` the planner expects the rows of
  // the stores below, and none of the store.
  upTo: '<=',
  last: (to: string) => `${to}::timestamptz - interval '1 microsecond'`,
  endless: 'infinity',
  order: 'ASC',
  laterPlace: 'DESC',
} as const;

const directionOf = ({ oldestFirst }: Listed): typeof NEWEST_FIRST | typeof OLDEST_FIRST =>
  oldestFirst === true ? OLDEST_FIRST : NEWEST_FIRST;

/**
 * How a list of one wholesaler's orders, or of one store's, is read: by an index, so that
 * a page costs the same however many orders there are. Each list names the index by its order, because
 * the planner believes that orders of a status, and of a store, are evenly spread over time. Paid
 * orders are not: all of the last days are still owed, and a list that looks for them by time alone
 * passes all of these.
 */
export function walkOrders(list: Listed, parameters: Parameters): Walk {
  if (list.status !== undefined) return ofStatus(list, parameters);
  return list.cornerStoreId === undefined ? ofAny(list, parameters) : ofStore(list, parameters);
}

/**
 * The place after which the orders of a page are, at and id: the last order of the page before, or the
 * beginning of the walk. One place, because an index scan begins at one bound and passes what is between
 * two.
 */
function placeOf(list: Listed, parameters: Parameters): string {
  const { begin, laterPlace } = directionOf(list);
  return `
    FROM (SELECT last.created_at AS at, last.id FROM transactions last WHERE last.id = ${parameters.cursor}
          UNION ALL
          SELECT ${parameters[begin]}::timestamptz, '00000000-0000-0000-0000-000000000000'
           WHERE ${parameters[begin]} IS NOT NULL
          ORDER BY at ${laterPlace}, id ${laterPlace} LIMIT 1) place`;
}

/** Whether a page begins at the newest, or the oldest, order of all. */
const hasNoPlace = (list: Listed): boolean =>
  list[directionOf(list).begin] === undefined && list.cursor === undefined;

/** Names parameters that a list has no value for; Postgres has to know their types. */
const withoutPlace = (list: Listed, parameters: Parameters): string =>
  `${parameters[directionOf(list).begin]}::timestamptz IS NULL AND ${parameters.cursor}::uuid IS NULL`;

/** By transactions_newest. */
function ofAny(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status } = parameters;
  const { end, after, upTo, last, order } = directionOf(list);
  const begin = hasNoPlace(list)
    ? withoutPlace(list, parameters)
    : `(t.created_at, t.id) ${after} (SELECT at, id ${placeOf(list, parameters)})`;
  return {
    join: '',
    where: `
      AND ${status}::text IS NULL AND ${cornerStoreId}::uuid IS NULL
      AND (${parameters[end]}::timestamptz IS NULL OR t.created_at ${upTo} ${last(parameters[end])})
      AND ${begin}`,
    order: `t.created_at ${order}, t.id ${order}`,
  };
}

/**
 * By transactions_of_status, or of a store by transactions_of_store. A range of one status, and of one store, and
 * an order by it ask for the one index. The range has one condition at each end, for the reason that placeOf has
 * one place.
 */
function ofStatus(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status } = parameters;
  const { end, after, upTo, last, order } = directionOf(list);
  const isOfStore = list.cornerStoreId !== undefined;
  const columns = isOfStore ? ['t.corner_store_id', 't.status'] : ['t.status'];
  const key = columns.join(', ');
  const value = isOfStore ? `${cornerStoreId}::uuid, ${status}::text` : `${status}::text`;
  const begins = hasNoPlace(list)
    ? `(${key}) ${after}= (${value}) AND ${withoutPlace(list, parameters)}`
    : `(${key}, t.created_at, t.id) ${after} (SELECT ${value}, at, id ${placeOf(list, parameters)})`;
  const ends =
    list[end] === undefined
      ? `(${key}) ${upTo} (${value}) AND ${parameters[end]}::timestamptz IS NULL`
      : `(${key}, t.created_at) ${upTo} (${value}, ${last(parameters[end])})`;
  const store = isOfStore ? 'true' : `${cornerStoreId}::uuid IS NULL`;
  const by = [...columns, 't.created_at', 't.id'].map((column) => `${column} ${order}`);
  return { join: '', where: `AND ${begins} AND ${ends} AND ${store}`, order: by.join(', ') };
}

/**
 * By credit_entries_line: each order begins with one hold, of the same time. With a place the store is a range
 * too: of two conditions on the time alone the planner would expect a few rows, and read all of them.
 */
function ofStore(list: Listed, parameters: Parameters): Walk {
  const { cornerStoreId, status } = parameters;
  const { end, after, upTo, last, endless, order } = directionOf(list);
  const place = placeOf(list, parameters);
  const period = hasNoPlace(list)
    ? `hold.corner_store_id = ${cornerStoreId} AND ${withoutPlace(list, parameters)}
       AND (${parameters[end]}::timestamptz IS NULL OR hold.created_at ${upTo} ${last(parameters[end])})`
    : `(hold.corner_store_id, hold.created_at) ${after}= (SELECT ${cornerStoreId}::uuid, at ${place})
       AND (hold.created_at, t.id) ${after} (SELECT at, id ${place})
       AND (hold.corner_store_id, hold.created_at)
             ${upTo} (${cornerStoreId}, coalesce(${last(parameters[end])}, '${endless}'))`;
  return {
    join: `JOIN credit_entries hold ON hold.transaction_id = t.id AND hold.kind = 'hold'`,
    where: `AND ${status}::text IS NULL AND ${period}`,
    order: `hold.corner_store_id ${order}, hold.created_at ${order}, t.id ${order}`,
  };
}
