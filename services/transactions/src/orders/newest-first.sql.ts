import type { TransactionStatus } from './order.rules';

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

interface Listed {
  cornerStoreId?: string | undefined;
  status?: TransactionStatus | undefined;
  /** Whether a page was read before. */
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
  if (list.cornerStoreId !== undefined) return ofStore(parameters);
  return list.status === undefined ? ofAny(parameters) : ofStatus(parameters, list);
}

const anyStatus = ({ status }: Parameters): string =>
  `AND (${status}::text IS NULL OR t.status = ${status})`;

/** By transactions_newest. */
function ofAny(parameters: Parameters): Walk {
  const { cornerStoreId, from, to, cursor } = parameters;
  return {
    join: '',
    where: `
      ${anyStatus(parameters)} AND ${cornerStoreId}::uuid IS NULL
      AND (${from}::timestamptz IS NULL OR t.created_at >= ${from})
      AND (${to}::timestamptz IS NULL OR t.created_at < ${to})
      AND (${cursor}::uuid IS NULL OR (t.created_at, t.id) <
            (SELECT last.created_at, last.id FROM transactions last WHERE last.id = ${cursor}))`,
    order: 't.created_at DESC, t.id DESC',
  };
}

/** By transactions_of_status, which a range of one status and an order by status ask for. */
function ofStatus({ cornerStoreId, status, from, to, cursor }: Parameters, list: Listed): Walk {
  // The place where the page begins, as a key of the index.
  const begin =
    list.cursor === undefined
      ? `${cursor}::uuid IS NULL
         AND (${to}::timestamptz IS NULL OR (t.status, t.created_at) < (${status}, ${to}))`
      : `(t.status, t.created_at, t.id) <
           (SELECT ${status}, last.created_at, last.id FROM transactions last WHERE last.id = ${cursor})`;
  return {
    join: '',
    where: `
      AND t.status >= ${status}::text AND t.status <= ${status} AND ${cornerStoreId}::uuid IS NULL
      AND (${from}::timestamptz IS NULL OR (t.status, t.created_at) >= (${status}, ${from}))
      AND (${to}::timestamptz IS NULL OR t.created_at < ${to})
      AND ${begin}`,
    order: 't.status DESC, t.created_at DESC, t.id DESC',
  };
}

/** By credit_entries_line: each order begins with one hold, of the same time. */
function ofStore(parameters: Parameters): Walk {
  const { cornerStoreId, from, to, cursor } = parameters;
  const last = `FROM transactions last WHERE last.id = ${cursor}`;
  return {
    join: `JOIN credit_entries hold ON hold.transaction_id = t.id AND hold.kind = 'hold'`,
    where: `
      AND hold.corner_store_id = ${cornerStoreId} ${anyStatus(parameters)}
      AND (${from}::timestamptz IS NULL OR hold.created_at >= ${from})
      AND (${to}::timestamptz IS NULL OR hold.created_at < ${to})
      AND (${cursor}::uuid IS NULL OR hold.created_at <= (SELECT last.created_at ${last})
           AND (hold.created_at, t.id) < (SELECT last.created_at, last.id ${last}))`,
    order: 'hold.created_at DESC, t.id DESC',
  };
}
