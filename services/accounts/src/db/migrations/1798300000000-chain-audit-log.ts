import { makeAppendOnly } from '@fiado/chassis/db/append-only';
import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

/**
 * The chain of hashes over the audit log. Each new entry waits in audit_unchained, by trigger, so that
 * those of the release before wait there too. A loop chains them, so no request waits for the head.
 */
export class ChainAuditLog1798300000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_chain (
        -- From 1, without gaps.
        position   bigint PRIMARY KEY,
        entry_id   uuid NOT NULL UNIQUE,
        -- The entry as it was chained. A text, because a hash over jsonb would rely on how this
        -- version of PostgreSQL writes it.
        content    text NOT NULL,
        -- SHA-256 of the hash before, the position and the content.
        hash       bytea NOT NULL,
        chained_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE audit_chain_head (
        one        boolean PRIMARY KEY DEFAULT true CHECK (one),
        position   bigint NOT NULL,
        hash       bytea NOT NULL,
        -- The last daily check of the whole chain, and what it found broken.
        checked_at timestamptz NOT NULL DEFAULT now(),
        break      jsonb
      );
      INSERT INTO audit_chain_head (position, hash)
        VALUES (0, decode(repeat('00', 32), 'hex'));

      CREATE TABLE audit_unchained (
        seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        entry_id uuid NOT NULL UNIQUE,
        since    timestamptz NOT NULL DEFAULT now()
      );

      CREATE FUNCTION await_chain() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO audit_unchained (entry_id) SELECT id FROM inserted;
        RETURN NULL;
      END $$;
      CREATE TRIGGER await_chain AFTER INSERT ON audit_log
        REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION await_chain();

      INSERT INTO audit_unchained (entry_id) SELECT id FROM audit_log ORDER BY occurred_at, id;
    `);
    await makeAppendOnly(runner, 'audit_chain', roleOf('accounts'));
  }
}
