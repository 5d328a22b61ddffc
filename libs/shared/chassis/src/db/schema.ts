import { escapeIdentifier, type ClientBase, type Pool } from 'pg';
import { CREATE_CHASSIS_TABLES } from './baseline.sql';
import { migration } from './migration';
import type { Triggers } from './triggers';

/** A schema as its service and its migrate command know it. */
export interface Schema {
  /** Name of the schema and, prefixed with fiado_, of its login role. */
  name: string;
  /** The service's own tables as the first release made them, in SQL. */
  baseline?: string;
  /** What changed them since, oldest first, listed by hand. */
  migrations: Function[];
  /** Loads the classes of the tables that are read and written by key (TypeORM), which a migration does not need. */
  entities?: () => Function[];
  /** As they are now: functions are replaced whenever the schema is migrated. */
  triggers?: Triggers;
}

/** Of the tables that every schema has, oldest first. */
const CHASSIS_MIGRATIONS: Function[] = [
  // The bundle that a row left in; null for a row that left as a job of its own.
  migration('AddOutboxBundle1795564800000', 'ALTER TABLE outbox ADD COLUMN bundle text'),
];

/**
 * All migrations of a schema. The first, the baseline, makes the tables of the first release; each schema keeps its own
 * list, so one name does. The chassis adds those of the tables that every schema has, so that a new one reaches every
 * service.
 */
export function migrationsOf({ baseline = '', migrations }: Schema): Function[] {
  const first = migration('Baseline1795478400000', CREATE_CHASSIS_TABLES + baseline);
  return [first, ...CHASSIS_MIGRATIONS, ...migrations];
}

/** Names of the migrations that ran on a schema; none on one that was never migrated. */
export async function appliedMigrations(
  database: ClientBase | Pool,
  { name }: Schema,
): Promise<string[]> {
  const table = `${escapeIdentifier(name)}.migrations`;
  const { rows: found } = await database.query<{ exists: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS exists',
    [table],
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await database.query<{ name: string }>(
    `SELECT name FROM ${table} ORDER BY timestamp, id`,
  );
  return rows.map(({ name: migration }) => migration);
}

/** Whether every migration of this build has run on a schema. */
export async function isUpToDate(database: ClientBase | Pool, schema: Schema): Promise<boolean> {
  const done = new Set(await appliedMigrations(database, schema));
  return migrationsOf(schema).every(({ name }) => done.has(name));
}
