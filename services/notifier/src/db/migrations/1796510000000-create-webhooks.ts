import type { QueryRunner } from 'typeorm';

/** Webhook endpoints, their secrets, the deliveries of events to them, and each attempt. */
export class CreateWebhooks1796510000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id              uuid PRIMARY KEY,
        owner_id        uuid NOT NULL REFERENCES event_owners,
        url             text NOT NULL,
        description     text,
        -- Patterns: '*', 'transaction.*' or a type.
        events          text[] NOT NULL,
        -- Whether the events of one subject are sent one after another.
        ordered         boolean NOT NULL,
        state           text NOT NULL DEFAULT 'enabled'
                        CHECK (state IN ('enabled', 'paused', 'disabled', 'deleted')),
        disabled_reason text CHECK (disabled_reason IN ('failing', 'gone', 'asked')),
        -- Whether the owner was told that it was disabled.
        disabled_told   boolean NOT NULL DEFAULT true,
        enabled_at      timestamptz NOT NULL DEFAULT now(),
        -- Since the last success: first failure, and how many.
        failing_since   timestamptz,
        failures        integer NOT NULL DEFAULT 0,
        good_at         timestamptz,
        slow            boolean NOT NULL DEFAULT false,
        -- Deliveries that are being sent. On the row that a claim locks, so that it counts them all.
        in_flight       integer NOT NULL DEFAULT 0 CHECK (in_flight >= 0),
        claimed_at      timestamptz NOT NULL DEFAULT now(),
        created_at      timestamptz NOT NULL DEFAULT now(),
        updated_at      timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX webhook_endpoints_of_owner ON webhook_endpoints (owner_id, id);
      CREATE INDEX webhook_endpoints_untold ON webhook_endpoints (id) WHERE NOT disabled_told;

      CREATE TABLE webhook_secrets (
        id          uuid PRIMARY KEY,
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        kind        text NOT NULL CHECK (kind IN ('v1', 'v1a')),
        sealed      bytea NOT NULL,
        -- Of v1a: what receivers verify with.
        public_key  text CHECK ((public_key IS NULL) = (kind = 'v1')),
        created_at  timestamptz NOT NULL DEFAULT now(),
        -- Of one that another has replaced.
        expires_at  timestamptz
      );
      CREATE INDEX webhook_secrets_of_endpoint ON webhook_secrets (endpoint_id);
      CREATE UNIQUE INDEX webhook_secrets_current ON webhook_secrets (endpoint_id, kind)
        WHERE expires_at IS NULL;

      CREATE TABLE webhook_replays (
        id          uuid PRIMARY KEY,
        endpoint_id uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        count       integer NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX webhook_replays_of_endpoint ON webhook_replays (endpoint_id, created_at);

      CREATE TABLE webhook_deliveries (
        id               uuid PRIMARY KEY,
        endpoint_id      uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
        event_id         uuid NOT NULL REFERENCES events ON DELETE CASCADE,
        -- 0 for the first time; one more for each resend and replay of the event.
        run              integer NOT NULL,
        replay_id        uuid REFERENCES webhook_replays,
        -- Of the event; they decide the order where the endpoint asks for it.
        subject_id       uuid NOT NULL,
        subject_version  bigint NOT NULL,
        position         bigint NOT NULL,
        status           text NOT NULL CHECK (status IN
                         ('pending', 'sending', 'delivered', 'failed', 'held', 'aborted')),
        attempts         integer NOT NULL DEFAULT 0,
        last_status_code integer,
        next_attempt_at  timestamptz NOT NULL DEFAULT now(),
        claimed_until    timestamptz,
        created_at       timestamptz NOT NULL DEFAULT now(),
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CHECK ((status = 'sending') = (claimed_until IS NOT NULL)),
        UNIQUE (event_id, endpoint_id, run)
      );
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at)
        WHERE status = 'pending';
      CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (claimed_until)
        WHERE status = 'sending';
      CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, subject_id)
        WHERE status IN ('pending', 'sending');
      CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);
      CREATE INDEX webhook_deliveries_of_replay ON webhook_deliveries (replay_id)
        WHERE replay_id IS NOT NULL;

      CREATE TABLE webhook_attempts (
        delivery_id   uuid NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
        number        integer NOT NULL,
        started_at    timestamptz NOT NULL,
        ms            integer NOT NULL,
        http_status   integer,
        error         text,
        -- The beginning of the answer's body, shown to the owner alone.
        response_head text,
        PRIMARY KEY (delivery_id, number)
      );

      ALTER TABLE events ADD COLUMN is_test boolean NOT NULL DEFAULT false;
    `);
  }
}
