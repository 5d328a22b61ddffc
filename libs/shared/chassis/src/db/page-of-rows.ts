import { ValidationError } from '@fiado/contracts/errors';
import { type Page, pageOf } from '@fiado/contracts/page';
import type { Db } from './database';
import { query } from './query';

/** A page of a list that a caller asks for. */
export interface AskedPage {
  /** Id of the last row of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** Which rows a list has, and their order. Rows are listed by their id, which is in the order of their time. */
interface Rows {
  /** SQL with the columns and tables: all before WHERE. */
  select: string;
  /** Table of the rows, with the alias that `select` gives it, such as `payouts` or `statements s`. */
  from: string;
  /** Columns of that table that say whose rows they are. A cursor must be one of theirs; undefined is everybody's. */
  of?: Record<string, string | undefined>;
  /**
   * Conditions; an OR is in brackets. The value of each stands where it has a `$`; one without a `$` stands as it
   * is. Only those whose value is not undefined are in the statement, so that each has the plan of its index.
   */
  where?: Record<string, unknown>;
  /** A column of that table to sort by, before the id. */
  by?: string;
  oldestFirst?: boolean;
  /** Values of the parameters in `select`: `$1` and on. */
  values?: unknown[];
  /** SQL around the statement, for joins that only the rows of the page need. */
  around?: (page: string) => string;
}

/** Where the value of a condition stands; `$1` is one of `values`. */
const PLACE = /\$(?!\d)/g;

/**
 * A page of rows after a cursor, the newest first.
 * @throws ValidationError for a cursor that is the id of no such row
 */
export async function pageOfRows<Row extends { id: string }>(
  db: Db,
  { cursor, limit }: AskedPage,
  { select, from, of = {}, where = {}, by, oldestFirst = false, values = [], around }: Rows,
): Promise<Page<Row>> {
  const [table = from, alias = table] = from.split(' ');
  await requireCursor(db, cursor, table, of);
  const given = [...values];
  const conditions: string[] = [];
  const require = (condition: string, value: unknown): void => {
    if (value === undefined) return;
    let parameter: string | undefined;
    conditions.push(condition.replaceAll(PLACE, () => (parameter ??= `$${given.push(value)}`)));
  };
  for (const [column, id] of Object.entries(of)) require(`${alias}.${column} = $`, id);
  for (const [condition, value] of Object.entries(where)) require(condition, value);
  const [after, direction] = oldestFirst ? ['>', 'ASC'] : ['<', 'DESC'];
  // By the row and not by its time: a JSON time is cut to milliseconds.
  if (by === undefined) require(`${alias}.id ${after} $`, cursor);
  else
    require(`(${alias}.${by}, ${alias}.id) ${after} (SELECT ${by}, id FROM ${table} WHERE id = $)`, cursor);
  const order = [...(by === undefined ? [] : [by]), 'id']
    .map((column) => `${alias}.${column} ${direction}`)
    .join(', ');
  const text = `${select}
      ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
      ORDER BY ${order} LIMIT $${given.push(limit + 1)}`;
  return pageOf(await query<Row>(db, around?.(text) ?? text, given), limit);
}

/**
 * Refuses a made-up cursor, which would answer an empty page as if the list had ended.
 * @param table of the rows that a page may end with
 * @param owner columns of the owner and their ids; undefined for the rows of all owners
 * @throws ValidationError for a cursor that is the id of no such row
 */
export async function requireCursor(
  db: Db,
  cursor: string | undefined,
  table: string,
  owner: Record<string, string | undefined> = {},
): Promise<void> {
  if (cursor === undefined) return;
  const ids = Object.entries({ id: cursor, ...owner }).filter(([, id]) => id !== undefined);
  const where = ids.map(([column], at) => `${column} = $${at + 1}`).join(' AND ');
  const values = ids.map(([, id]) => id);
  const [known] = await query(db, `SELECT 1 FROM ${table} WHERE ${where}`, values);
  if (known === undefined) {
    throw new ValidationError(['cursor must be nextCursor of an earlier page']);
  }
}
