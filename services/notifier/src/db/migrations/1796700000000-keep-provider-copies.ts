import type { QueryRunner } from 'typeorm';

/** Messages of blocked persons, of which the SMS provider still has a copy. */
export class KeepProviderCopies1796700000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE provider_copies (
        -- Without a foreign key: the message may be deleted first.
        message_id      uuid PRIMARY KEY,
        -- Null while the provider has not reported it.
        sid             text,
        attempts        integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        created_at      timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX provider_copies_due ON provider_copies (next_attempt_at);
    `);
  }
}
