import { escapeIdentifier } from 'pg';
import type { Db } from './database';
import { columnOf, query } from './query';

/**
 * Inserts a row. Its fields are the columns in camelCase; an absent or undefined field takes the
 * column's default.
 */
export async function insertRow(db: Db, table: string, row: object): Promise<void> {
  const { columns, values } = columnsOf(row);
  const places = values.map((_, index) => `$${index + 1}`);
  await query(db, `INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`, values);
}

/** Changes the named fields of the row with that id. @returns whether the row exists */
export function updateRow(db: Db, table: string, id: string, changes: object): Promise<boolean> {
  const { columns, values } = columnsOf(changes);
  if (columns.length === 0) return rowExists(db, table, id);
  return update(db, table, columns.map(assignment), [id, ...values]);
}

/**
 * The same for a row whose snapshot is published: raises its version in the same statement, so that
 * a trigger sees both. @returns whether the row exists
 */
export function updateVersionedRow(
  db: Db,
  table: string,
  id: string,
  changes: object,
): Promise<boolean> {
  const { columns, values } = columnsOf(changes);
  const raised = ['version = version + 1', 'updated_at = now()'];
  return update(db, table, [...columns.map(assignment), ...raised], [id, ...values]);
}

export async function rowExists(db: Db, table: string, id: string): Promise<boolean> {
  return (await query(db, `SELECT FROM ${table} WHERE id = $1`, [id])).length > 0;
}

function columnsOf(row: object): { columns: string[]; values: unknown[] } {
  const fields = Object.entries(row).filter(([, value]) => value !== undefined);
  return {
    columns: fields.map(([name]) => escapeIdentifier(columnOf(name))),
    values: fields.map(([, value]: [string, unknown]) => value),
  };
}

function assignment(column: string, index: number): string {
  return `${column} = $${index + 2}`;
}

async function update(
  db: Db,
  table: string,
  assignments: string[],
  values: unknown[],
): Promise<boolean> {
  const text = `UPDATE ${table} SET ${assignments.join()} WHERE id = $1 RETURNING id`;
  return (await query(db, text, values)).length > 0;
}
