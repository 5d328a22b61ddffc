import type { QueryRunner } from 'typeorm';

/**
 * The tables that every schema has: outbox (jobs to hand to a queue), inbox (jobs already done),
 * idempotency_keys (answers already given) and key_fingerprints (which secrets sealed this data).
 */
export class CreateChassisTables1700000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id                uuid PRIMARY KEY,
        queue             text NOT NULL,
        type              text NOT NULL,
        version           integer NOT NULL,
        aggregate_id      uuid NOT NULL,
        aggregate_version bigint NOT NULL,
        data              jsonb,
        created_at        timestamptz NOT NULL DEFAULT now(),
        leased_until      timestamptz,
        enqueued_at       timestamptz,
        enqueue_count     integer NOT NULL DEFAULT 0,
        done_at           timestamptz,
        dead_at           timestamptz,
        dead_reason       text
      );
      CREATE INDEX outbox_to_relay ON outbox (created_at) WHERE enqueued_at IS NULL;
      CREATE INDEX outbox_to_sweep ON outbox (enqueued_at)
        WHERE enqueued_at IS NOT NULL AND done_at IS NULL AND dead_at IS NULL;
      CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;

      CREATE TABLE inbox (
        message_id  uuid PRIMARY KEY,
        received_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX inbox_received_at ON inbox (received_at);

      CREATE TABLE idempotency_keys (
        id           bytea PRIMARY KEY,
        request_hash bytea NOT NULL,
        status       integer NOT NULL,
        body         text NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

      CREATE TABLE key_fingerprints (
        name        text PRIMARY KEY,
        fingerprint text NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now()
      );
    `);
  }
}
