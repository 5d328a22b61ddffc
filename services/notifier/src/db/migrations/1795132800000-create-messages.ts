import type { QueryRunner } from 'typeorm';

/** The messages, and every call to a provider that was made for them. */
export class CreateMessages1795132800000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE messages (
        id              uuid PRIMARY KEY,
        template        text NOT NULL,
        wholesaler_id   uuid,
        subject_id      uuid NOT NULL,
        phone_index     bytea NOT NULL,
        phone_masked    text NOT NULL,
        sealed          bytea,
        status          text NOT NULL DEFAULT 'pending' CHECK (status IN
          ('pending', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'expired')),
        status_reason   text,
        provider        text,
        provider_sid    text UNIQUE,
        attempts        integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        claimed_until   timestamptz,
        expires_at      timestamptz NOT NULL,
        sent_at         timestamptz,
        created_at      timestamptz NOT NULL DEFAULT now(),
        updated_at      timestamptz NOT NULL DEFAULT now(),
        CHECK ((status = 'sending') = (claimed_until IS NOT NULL))
      );
      CREATE INDEX messages_due ON messages (next_attempt_at) WHERE status = 'pending';
      CREATE INDEX messages_to_expire ON messages (expires_at) WHERE status = 'pending';
      CREATE INDEX messages_claimed ON messages (claimed_until) WHERE status = 'sending';
      CREATE INDEX messages_newest ON messages (created_at, id);
      CREATE INDEX messages_of_phone ON messages (phone_index, created_at, id);
      CREATE INDEX messages_of_status ON messages (status, created_at, id);

      CREATE TABLE message_attempts (
        message_id    uuid NOT NULL REFERENCES messages,
        number        integer NOT NULL,
        started_at    timestamptz NOT NULL,
        finished_at   timestamptz NOT NULL DEFAULT now(),
        outcome       text NOT NULL CHECK (outcome IN ('sent', 'pending', 'failed', 'unknown')),
        http_status   integer,
        provider_code text,
        PRIMARY KEY (message_id, number)
      );
    `);
  }
}
