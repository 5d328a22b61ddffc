import type { QueryRunner } from 'typeorm';

/** The events of wholesalers and payment providers. */
export class CreateEvents1796500000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE event_owners (
        id            uuid PRIMARY KEY,
        kind          text NOT NULL CHECK (kind IN ('wholesaler', 'payment-provider')),
        last_position bigint NOT NULL DEFAULT 0
      );

      CREATE TABLE events (
        id              uuid PRIMARY KEY,
        owner_id        uuid NOT NULL REFERENCES event_owners,
        -- Place among the events of the owner, in the order in which they become visible.
        position        bigint NOT NULL,
        type            text NOT NULL,
        subject_id      uuid NOT NULL,
        subject_version bigint NOT NULL,
        -- Text, because exactly these bytes are signed.
        body            text NOT NULL,
        occurred_at     timestamptz NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now(),
        UNIQUE (owner_id, position)
      );
      CREATE INDEX events_created_at ON events (created_at);
      CREATE INDEX events_of_time ON events (owner_id, occurred_at);
    `);
  }
}
