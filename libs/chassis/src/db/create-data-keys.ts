import type { QueryRunner } from 'typeorm';

/**
 * The tables of a schema that holds sealed values: data_keys (wrapped by ENCRYPTION_KEY),
 * data_key_holders (which processes have read them) and sealed_tables (how far the loop is that
 * seals with the newest key).
 */
export class CreateDataKeys1798440000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE data_keys (
        kind         text NOT NULL CHECK (kind IN ('seal', 'index')),
        number       integer NOT NULL CHECK (number >= 0),
        -- Null once it is retired: nothing can open its values any more.
        wrapped      bytea,
        created_at   timestamptz NOT NULL DEFAULT now(),
        -- Since when this service seals with it; null while it only opens.
        sealing_from timestamptz,
        retired_at   timestamptz,
        PRIMARY KEY (kind, number),
        CHECK ((wrapped IS NULL) = (retired_at IS NOT NULL))
      );

      CREATE TABLE data_key_holders (
        instance uuid PRIMARY KEY,
        newest   integer NOT NULL,
        seen_at  timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE sealed_tables (
        name         text PRIMARY KEY,
        key_number   integer NOT NULL,
        -- The last row that was read; null before the first.
        after        uuid,
        failed       integer NOT NULL DEFAULT 0,
        leased_until timestamptz,
        finished_at  timestamptz
      );
    `);
  }
}
