import type { QueryResult, QueryResultRow } from 'pg';
import { inStatementSpan } from '../tracing/tracer';
import type { Db, Transaction } from './database';
import { driverError } from './errors';
import { answerLimitOf, answerWithin } from './limited-client';

/** A deadlock, and a conflict with what another transaction wrote. */
const ROLLED_BACK_FOR_ANOTHER = new Set(['40P01', '40001']);

/** Long enough to read all rows of ten million orders, even on a busy machine. */
const LONG_STATEMENT_MS = 60_000;

/** Processes beside its own that Postgres may read a whole table with: its default. */
const LONG_STATEMENT_WORKERS = 2;

/**
 * Runs one parameterised statement and returns its rows, inside the transaction when given one. A
 * column `user_id` is the field `userId` of a row; an undefined value is null.
 */
export async function query<Row extends object>(
  db: Db,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return camelCased(await db.connection.query<QueryResultRow>(text, values));
}

/** The first row of a statement, if it returns any. */
export async function queryRow<Row extends object>(
  db: Db,
  text: string,
  values?: unknown[],
): Promise<Row | undefined> {
  const [row] = await query<Row>(db, text, values);
  return row;
}

/**
 * The row of a statement that always returns one.
 * @throws Error if it returns none, which is a defect
 */
export async function queryOne<Row extends object>(
  db: Db,
  text: string,
  values?: unknown[],
): Promise<Row> {
  const row = await queryRow<Row>(db, text, values);
  if (row === undefined) throw new Error(`A statement returned no row: ${text}`);
  return row;
}

/**
 * The same as a named statement: parsed and planned once for each connection. For hot paths. With
 * PREPARED_STATEMENTS=off it has no name, because a pooler may run it on a connection that has not
 * prepared it.
 */
export async function queryNamed<Row extends object>(
  db: Db,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const statement = db.preparedStatements ? { name, text, values } : { text, values };
  return inStatementSpan(name, async () =>
    camelCased(await db.connection.query<QueryResultRow>(statement)),
  );
}

/**
 * Puts rows in the order of the arguments of a statement.
 * @param rows with the position of their argument as `at`, from 1, as `WITH ORDINALITY` counts
 * @returns undefined for an argument without a row
 */
export function inAskedOrder<Row extends object>(
  asked: readonly unknown[],
  rows: Array<Row & { at: number }>,
): Array<Row | undefined> {
  const byPlace = new Map(rows.map(({ at, ...row }) => [at, row as unknown as Row]));
  return asked.map((_, index) => byPlace.get(index + 1));
}

/**
 * The time of a database transaction by the clock of the database. Times in rows come from it, because the clocks of
 * processes differ.
 */
export async function timeOf(tx: Db): Promise<Date> {
  const { now } = await queryOne<{ now: Date }>(tx, 'SELECT now()');
  return now;
}

/** The column of a field: `userId` becomes `user_id`. */
export function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Fields by their columns; statements name as many as the code does. */
const FIELDS = new Map<string, string>();

/** Objects made by one loop share their shape: three times as fast as Object.fromEntries. */
function camelCased<Row>({ fields, rows }: QueryResult<QueryResultRow>): Row[] {
  if (!fields.some(({ name }) => name.includes('_'))) return rows as Row[];
  const names = fields.map(({ name }) => [name, fieldOf(name)] as const);
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (const [column, field] of names) named[field] = row[column];
    return named as Row;
  });
}

/** The field of a column: `user_id` becomes `userId`. */
export function fieldOf(column: string): string {
  const known = FIELDS.get(column);
  if (known !== undefined) return known;
  const field = column.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  FIELDS.set(column, field);
  return field;
}

/**
 * Raises the limits of time and processes for the statements of a database transaction. For work started by ops
 * that reads whole tables.
 */
export async function allowLongStatements(tx: Transaction): Promise<void> {
  answerWithin(tx.connection, answerLimitOf(LONG_STATEMENT_MS));
  await query(
    tx,
    `SELECT set_config('statement_timeout', '${LONG_STATEMENT_MS}', true),
            set_config('max_parallel_workers_per_gather', '${LONG_STATEMENT_WORKERS}', true)`,
  );
}

/**
 * Repeats work once if Postgres ended its database transaction for another one. By then the other
 * transaction has its locks. Anything that the work committed before must be safe to repeat.
 */
export async function repeatAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!ROLLED_BACK_FOR_ANOTHER.has(driverError(error).code ?? '')) throw error;
    return work();
  }
}

/**
 * SQL that is always true of a key in a list of rows. The planner expects it of one row in 200, and therefore looks up
 * each row of the list by its key. Without it, a plan that is made while the table is empty reads the whole table,
 * because the planner expects 10 or 100 rows of any list. A prepared statement keeps that plan while the table grows.
 * @param key not null
 */
export function oneByOne(key: string): string {
  return `${key} = least(${key}, ${key})`;
}
