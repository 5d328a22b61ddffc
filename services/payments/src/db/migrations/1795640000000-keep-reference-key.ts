import { roleOf } from '@fiado/chassis/db/roles';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key by which payment references are not consecutive: 244 random bits, in one row. */
export class KeepReferenceKey1795640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reference_key (
        is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
        key     bytea NOT NULL
      );
      INSERT INTO reference_key (key)
      SELECT decode(replace(gen_random_uuid()::text || gen_random_uuid(), '-', ''), 'hex');
      REVOKE INSERT, UPDATE, DELETE ON reference_key FROM ${roleOf('payments')};
    `);
  }

  /** References that were given keep counting; another `up` makes another key. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reference_key');
  }
}
