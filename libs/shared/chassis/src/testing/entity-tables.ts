import type { Database } from '../db/database';
import { query } from '../db/query';

/** Columns of a table by name, each with its type, and whether it is a key, not null, or not inserted. */
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
        describe({
          type: driver.normalizeType(column) + (column.isArray ? '[]' : ''),
          isNullable: column.isNullable,
          isPrimary: column.isPrimary,
          isInserted: column.isInsert,
        }),
      ]),
    );
  }
  const inSchema: Record<string, Columns> = {};
  for (const column of await readColumns(db, Object.keys(inEntities))) {
    (inSchema[column.table] ??= {})[column.column] = describe(column);
  }
  return { inEntities, inSchema };
}

function describe({ type, isNullable, isPrimary, isInserted }: ColumnFacts): string {
  const words = [type, isPrimary ? 'key' : '', isNullable ? '' : 'not null'];
  return [...words, isInserted ? '' : 'not inserted'].filter(Boolean).join(' ');
}

interface ColumnFacts {
  type: string;
  isNullable: boolean;
  isPrimary: boolean;
  /** Whether the service's role may insert it: `insert` names every column. */
  isInserted: boolean;
}

interface SchemaColumn extends ColumnFacts {
  table: string;
  column: string;
}

function readColumns(db: Database, tables: string[]): Promise<SchemaColumn[]> {
  return query<SchemaColumn>(
    db,
    `SELECT relname AS table, attname AS column, format_type(atttypid, NULL) AS type,
            NOT attnotnull AS is_nullable,
            has_column_privilege(attrelid, attnum, 'INSERT') AS is_inserted,
            EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary
                      AND attnum = ANY (indkey)) AS is_primary
       FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relname = ANY ($1) AND relnamespace = current_schema()::regnamespace AND relkind = 'r'
        AND attnum > 0 AND NOT attisdropped`,
    [tables],
  );
}
