import { ValidationError } from '@fiado/contracts/errors';
import { type ListTotals, MAX_COUNTED, type Page, pageOf } from '@fiado/contracts/page';
import type { Db } from './database';
import { query, queryOne } from './query';

/** A page of a list that a caller asks for. */
export interface AskedPage {
  /** Id of the last row of the page before. */
  cursor?: string | undefined;
  limit: number;
  /** Whether the rows of all pages are counted, too. */
  totals?: 'true' | 'false' | undefined;
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
  /**
   * Conditions that no index serves. Totals read the first rows that meet the other conditions, and count those that meet
   * these too: so a filter that few rows pass does not read the whole table.
   */
  unindexed?: Record<string, unknown>;
  /** What totals add up: SQL of the cents of a row, and the tables if others than `from` are read. */
  totals?: { cents: string; from?: string };
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
  { cursor, limit, totals }: AskedPage,
  rows: Rows,
): Promise<Page<Row>> {
  const { select, of = {}, by, oldestFirst = false, values = [], around } = rows;
  const { table, alias, order } = placesOf(rows);
  await requireCursor(db, cursor, table, of);
  const given = [...values];
  const after = oldestFirst ? '>' : '<';
  const conditions = [
    ...conditionsOf(walked(rows), given),
    ...conditionsOf(rows.unindexed, given),
    // By the row and not by its time: a JSON time is cut to milliseconds.
    ...conditionsOf(
      by === undefined
        ? { [`${alias}.id ${after} $`]: cursor }
        : {
            [`(${alias}.${by}, ${alias}.id) ${after} (SELECT ${by}, id FROM ${table} WHERE id = $)`]:
              cursor,
          },
      given,
    ),
  ];
  const text = `${select}
      ${whereOf(conditions)}
      ORDER BY ${order} LIMIT $${given.push(limit + 1)}`;
  const found = await query<Row>(db, around?.(text) ?? text, given);
  return {
    ...pageOf(found, limit),
    ...(totals === 'true' && { totals: await totalsOf(db, rows) }),
  };
}

/** Counts the first rows of the list, in its order: as many as are read at most. */
async function totalsOf(db: Db, rows: Rows): Promise<ListTotals> {
  const { from, totals = { cents: 'NULL::bigint' }, unindexed, values = [] } = rows;
  const given = [...values];
  const where = whereOf(conditionsOf(walked(rows), given));
  const chosen = conditionsOf(unindexed, given).join(' AND ') || 'true';
  const found = await queryOne<ListTotals>(
    db,
    `SELECT count(*) FILTER (WHERE chosen)::integer AS count,
            sum(cents) FILTER (WHERE chosen)::bigint AS cents, count(*) = ${MAX_COUNTED} AS has_more
       FROM (SELECT ${totals.cents} AS cents, ${chosen} AS chosen
               FROM ${totals.from ?? from} ${where}
              ORDER BY ${placesOf(rows).order} LIMIT ${MAX_COUNTED}) counted`,
    given,
  );
  const cents = rows.totals === undefined ? null : (found.cents ?? 0);
  return { ...found, cents };
}

/** The conditions that an index serves. */
function walked(rows: Rows): Record<string, unknown> {
  const { alias } = placesOf(rows);
  const owners = Object.entries(rows.of ?? {}).map(([column, id]) => [
    `${alias}.${column} = $`,
    id,
  ]);
  return { ...(Object.fromEntries(owners) as Record<string, unknown>), ...rows.where };
}

function placesOf({ from, by, oldestFirst = false }: Rows): {
  table: string;
  alias: string;
  order: string;
} {
  const [table = from, alias = table] = from.split(' ');
  const order = [...(by === undefined ? [] : [by]), 'id']
    .map((column) => `${alias}.${column} ${oldestFirst ? 'ASC' : 'DESC'}`)
    .join(', ');
  return { table, alias, order };
}

/** Conditions that have a value, which is added to the statement's. */
function conditionsOf(asked: Record<string, unknown> | undefined, given: unknown[]): string[] {
  return Object.entries(asked ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([condition, value]) => {
      let parameter: string | undefined;
      return condition.replaceAll(PLACE, () => (parameter ??= `$${given.push(value)}`));
    });
}

function whereOf(conditions: string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
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
