import { ValidationError } from '@fiado/contracts/errors';
import type { Db } from './database';
import { query } from './query';

/**
 * Refuses a made-up cursor, which would answer an empty page as if the list had ended.
 * @param table of the rows that a page may end with
 * @param owner the columns and ids of those whose rows they are; undefined is everybody's
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
