import { ValidationError } from '../../contracts/errors';
import { query, type Db } from './query';

/**
 * Refuses a made-up cursor, which would answer an empty page as if the list had ended.
 * @param source the rows that a page may end with: a table, and a condition where they have an owner
 * @throws ValidationError for a cursor that is the id of no row
 */
export async function requireCursor(
  db: Db,
  cursor: string | undefined,
  source: { table: string; where?: string; values?: unknown[] },
): Promise<void> {
  if (cursor === undefined) return;
  const { table, where = 'true', values = [] } = source;
  const [known] = await query(
    db,
    `SELECT 1 FROM ${table} WHERE id = $${values.length + 1} AND ${where}`,
    [...values, cursor],
  );
  if (known === undefined) {
    throw new ValidationError(['cursor must be nextCursor of an earlier page']);
  }
}
