import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

const ROLE = roleOf('accounts');

/** Visits to the page "Mi cuenta" by number and code, and who gave a user their number. */
export class KeepAccountVisits1796200000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_visits (
        id              uuid PRIMARY KEY,
        -- Of the token in the visitor's cookie, which is kept nowhere.
        token_hash      bytea NOT NULL UNIQUE,
        -- Of the number that was typed, whether a user has it or not.
        phone_index     bytea NOT NULL,
        phone_masked    text NOT NULL,
        address_index   bytea NOT NULL,
        code_salt       bytea NOT NULL,
        code_expires_at timestamptz NOT NULL,
        sends           integer NOT NULL DEFAULT 1,
        checks          integer NOT NULL DEFAULT 0,
        -- When the right code was typed.
        proved_at       timestamptz,
        expires_at      timestamptz NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now()
      );
      -- For the budgets of a number, of an address and of the installation.
      CREATE INDEX account_visits_of_phone ON account_visits (phone_index, created_at);
      CREATE INDEX account_visits_of_address ON account_visits (address_index, created_at);
      CREATE INDEX account_visits_created ON account_visits (created_at);
      CREATE INDEX account_visits_ended ON account_visits (expires_at);
      GRANT SELECT, INSERT, UPDATE, DELETE ON account_visits TO ${ROLE};

      -- The wholesaler that changed the number last; null where nobody changed it since ops imported the
      -- user, or where ops confirmed it.
      ALTER TABLE users ADD COLUMN phone_given_by uuid;
      UPDATE users SET phone_given_by = change.wholesaler_id
        FROM (SELECT DISTINCT ON (corner_store_id) corner_store_id, wholesaler_id
                FROM phone_changes ORDER BY corner_store_id, changed_at DESC) change
        JOIN corner_stores store ON store.id = change.corner_store_id
       WHERE users.id = store.user_id;
    `);
  }
}
