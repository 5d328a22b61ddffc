import type { QueryRunner } from 'typeorm';

/** Links to the page "Mi cuenta" of a user, each with the code that opens it. */
export class CreateAccountLinks1797200002000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_links (
        id              uuid PRIMARY KEY,
        user_id         uuid NOT NULL REFERENCES users,
        wholesaler_id   uuid NOT NULL REFERENCES wholesalers,
        -- Of the token in the link, which is kept nowhere.
        token_hash      bytea NOT NULL UNIQUE,
        expires_at      timestamptz NOT NULL,
        -- The phone that the code was sent to: a changed phone makes it void.
        phone_index     bytea,
        code_salt       bytea,
        code_expires_at timestamptz,
        sends           integer NOT NULL DEFAULT 0,
        checks          integer NOT NULL DEFAULT 0,
        wrong_codes     integer NOT NULL DEFAULT 0,
        created_at      timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX account_links_of_customer ON account_links (user_id, wholesaler_id, created_at);
    `);
  }
}
