import type { QueryRunner } from 'typeorm';
import { createIndex, named } from './migration';
import { isUniqueViolation } from './errors';
import { query } from './query';
import type { Db } from './database';

/** A reference that makes an effect happen once, however it is spelled (fold_key). */
export interface FoldedKey {
  table: string;
  /** Columns within which the reference is unique. */
  scope: string[];
  /** Column of the reference, as it was sent. */
  key: string;
  /** SQL: the rows among which it is unique. @param prefix of the columns, such as `live.` */
  live: (prefix: string) => string;
  /** Name of its unique index. */
  index: string;
}

/**
 * Two releases ago a reference was compared byte for byte. Rows that share one in two spellings are
 * marked `key_collides`, but for the first of each, and the unique index leaves them out.
 */
const EXEMPT = 'key_collides IS NOT TRUE';

/** Builds in a row that may meet a pair which a process of the release before has just inserted. */
const MAX_BUILDS = 5;

/**
 * Marks the rows that collide, and creates the unique index of a folded key without stopping writes.
 * The table has the column `key_collides boolean`, and the schema the function `fold_key`.
 * @param name as of `migration`
 */
export function foldedKeyMigration(name: string, folded: FoldedKey): Function {
  const { table, scope, key, live, index } = folded;
  const definition = `ON ${table} (${scope.join(', ')}, fold_key(${key})) WHERE ${live('')} AND ${EXEMPT}`;
  return named(
    name,
    class {
      transaction = false;
      async up(runner: QueryRunner): Promise<void> {
        await runner.query('SET lock_timeout = 0');
        for (let build = 1; ; build += 1) {
          await runner.query(markCollisions(folded));
          try {
            await createIndex(runner, index, definition, 'UNIQUE INDEX');
            break;
          } catch (error) {
            if (build === MAX_BUILDS || !isUniqueViolation(error, index)) throw error;
          }
        }
        await runner.query('RESET lock_timeout');
      }
    },
  );
}

/** Few references are not in their folded form: only those are compared with others. */
function markCollisions({ table, scope, key, live }: FoldedKey): string {
  const scopes = scope.join(', ');
  return `
    WITH odd AS MATERIALIZED (
      SELECT id, ${scopes}, ${key}, fold_key(${key}) AS folded FROM ${table}
       WHERE ${live('')} AND ${EXEMPT} AND ${key} ~ '[^!-~]' AND ${key} <> fold_key(${key})
    ),
    spelled AS (
      SELECT id, ${scopes}, folded FROM odd
      UNION ALL
      SELECT plain.id, ${scopes.replaceAll(/\w+/g, 'plain.$&')}, groups.folded
        FROM (SELECT DISTINCT ${scopes}, folded FROM odd) groups,
             LATERAL (SELECT id, ${scopes} FROM ${table}
                       WHERE ${scope.map((column) => `${column} = groups.${column}`).join(' AND ')}
                         AND ${key} = groups.folded AND ${live('')} AND ${EXEMPT} OFFSET 0) plain
    ),
    ranked AS (
      -- Ids are UUIDs in the order of their time.
      SELECT id, row_number() OVER (PARTITION BY ${scopes}, folded ORDER BY id) AS place FROM spelled
    )
    UPDATE ${table} SET key_collides = true
     WHERE id IN (SELECT id FROM ranked WHERE place > 1)`;
}

/**
 * SQL of the rows with a reference in any spelling. A row with the exact spelling comes first, also if
 * its key collides. Each of the two selects reads one index: for an OR, Postgres would read a small table as a
 * whole, and keep that plan. The fences (OFFSET 0) have it look up the folded reference in its index: planned on an empty
 * table, an index of the scope alone seems as good, and each look-up would fold all references of a wholesaler.
 * @param scope the values of the folded key's scope, in its order
 * @param asked the reference
 */
export function rowsWithKey(
  { table, scope, key, live }: FoldedKey,
  columns: string,
  { of, asked }: { of: string[]; asked: string },
): string {
  const within = scope.map((column, place) => `found.${column} = ${of[place]}`).join(' AND ');
  const select = `SELECT ${columns} FROM ${table} found WHERE ${within} AND ${live('found.')}`;
  return `${select} AND found.${key} = ${asked}
          UNION ALL
          SELECT spelled.* FROM (SELECT fold_key(${asked}) AS key OFFSET 0) folded, LATERAL (
            ${select} AND found.${EXEMPT}
              AND fold_key(found.${key}) = folded.key AND found.${key} <> ${asked} OFFSET 0) spelled`;
}

/** The rows with these ids whose reference is that of an earlier one, for `verify`. */
export function collisionsOf(
  db: Db,
  { table, scope, key, live }: FoldedKey,
  ids: string[],
): Promise<object[]> {
  return query(
    db,
    `SELECT later.id, earlier.id AS "earlierId"
       FROM ${table} later
       JOIN ${table} earlier ON ${scope.map((column) => `earlier.${column} = later.${column}`).join(' AND ')}
        AND earlier.id <> later.id AND fold_key(earlier.${key}) = fold_key(later.${key})
        AND earlier.key_collides IS NOT TRUE
        AND ${live('earlier.')}
      WHERE later.id = ANY($1) AND later.key_collides AND ${live('later.')}`,
    [ids],
  );
}
