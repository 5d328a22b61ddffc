import type { Database } from '../db/database';
import { query } from '../db/query';

/** Columns of a table by name, each with its type, and whether it is `not null` or `key`. */
type Columns = Record<string, string>;

/** The tables of a schema's entities: as the entities say, and as the migrated schema has them. */
export async function entityTables(
  db: Database,
): Promise<{ inEntities: Record<string, Columns>; inSchema: Record<string, Columns> }> {
  const { entityMetadatas, driver } = db.entities;
  const inEntities: Record<string, Columns> = {};
  for (const { tableName, columns } of entityMetadatas) {
    inEntities[tableName] = Object.fromEntries(
      columns.map((column) => [
        column.databaseName,
        describe(
          driver.normalizeType(column) + (column.isArray ? '[]' : ''),
          column.isNullable,
          column.isPrimary,
        ),
      ]),
    );
  }
  const inSchema: Record<string, Columns> = {};
  for (const { table, column, type, isNullable, isPrimary } of await readColumns(
    db,
    Object.keys(inEntities),
  )) {
    (inSchema[table] ??= {})[column] = describe(type, isNullable, isPrimary);
  }
  return { inEntities, inSchema };
}

function describe(type: string, isNullable: boolean, isPrimary: boolean): string {
  if (isPrimary) return `${type} key`;
  return isNullable ? type : `${type} not null`;
}

interface SchemaColumn {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  isPrimary: boolean;
}

function readColumns(db: Database, tables: string[]): Promise<SchemaColumn[]> {
  return query<SchemaColumn>(
    db,
    `SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type,
            NOT attnotnull AS is_nullable,
            EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary
                      AND attnum = ANY (indkey)) AS is_primary
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relname = ANY ($1) AND relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND attnum > 0 AND NOT attisdropped`,
    [tables],
  );
}
