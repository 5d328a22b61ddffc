import type { QueryRunner } from 'typeorm';

/**
 * Named keys of ops. A table of their own: the release before knows no scopes of ops, so it must not
 * find these keys among the others and let each of them do everything. Reads that concern several
 * corner stores, or none, are audited too, so an audit entry may have no object.
 */
export class CreateOpsKeys1795630000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ops_keys (
        id           uuid PRIMARY KEY,
        name         text NOT NULL,
        scope        text NOT NULL CHECK (scope IN ('viewer', 'operator', 'approver', 'admin')),
        key_hash     bytea NOT NULL,
        expires_at   timestamptz NOT NULL,
        revoked_at   timestamptz,
        last_used_at timestamptz,
        created_at   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ops_keys_key_hash_key UNIQUE (key_hash)
      );
      ALTER TABLE audit_log ALTER COLUMN object_id DROP NOT NULL;
    `);
  }
}
