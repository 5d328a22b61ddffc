import { SHORT_LIVED_ROWS } from '@fiado/chassis/db/baseline.sql';
import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';
import { AWAIT_NAMES, AWAIT_NAMES_OF_STORE, AWAIT_NAMES_OF_USER } from '../triggers.sql';

const ROLE = roleOf('accounts');

/** Words of names, by which ops finds a store (ADR 86), and the stores whose names are not indexed yet. */
export class IndexNames1797000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE name_words (
        corner_store_id uuid PRIMARY KEY REFERENCES corner_stores,
        -- Keyed fingerprints of the words of its name and of its owner's, sorted.
        words           bytea[] NOT NULL
      );
      CREATE INDEX name_words_words ON name_words USING gin (words);
      CREATE TABLE names_due (
        seq             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        corner_store_id uuid NOT NULL
      ) WITH (${SHORT_LIVED_ROWS});
      GRANT SELECT, INSERT, UPDATE, DELETE ON name_words, names_due TO ${ROLE};
    `);
    // Before the names of today are listed by the next migration, so that no change is missed.
    for (const statement of [...AWAIT_NAMES, AWAIT_NAMES_OF_STORE, AWAIT_NAMES_OF_USER]) {
      await runner.query(statement);
    }
  }
}
