import type { QueryRunner } from 'typeorm';

/**
 * Makes a table append-only, for every role: a trigger refuses UPDATE, DELETE and TRUNCATE, and the
 * service's role has no right to them. For ledgers and audit logs, in their migration.
 */
export async function makeAppendOnly(
  runner: QueryRunner,
  table: string,
  role: string,
): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER append_only_table BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    REVOKE UPDATE, DELETE ON ${table} FROM ${role};
  `);
}
