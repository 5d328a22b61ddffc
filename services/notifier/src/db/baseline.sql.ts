import { CREATE_DATA_KEYS, LONG_LIVED_ROWS } from '@fiado/chassis/db/baseline.sql';

/** Tables of the first release. They are never edited: a change is a migration. */
export const notifierBaseline = `
  ${CREATE_DATA_KEYS}

  -- Messages change three times in a minute and are kept for 90 days, events for 30.
  CREATE TABLE messages (
    id                uuid PRIMARY KEY,
    template          text NOT NULL,
    wholesaler_id     uuid,
    subject_id        uuid NOT NULL,
    phone_index       bytea NOT NULL,
    phone_masked      text NOT NULL,
    sealed            bytea,
    status            text NOT NULL DEFAULT 'pending' CHECK (status IN
                      ('pending', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'expired')),
    status_reason     text,
    provider          text,
    provider_sid      text UNIQUE,
    attempts          integer NOT NULL DEFAULT 0,
    next_attempt_at   timestamptz NOT NULL DEFAULT now(),
    claimed_until     timestamptz,
    expires_at        timestamptz NOT NULL,
    sent_at           timestamptz,
    created_at        timestamptz NOT NULL DEFAULT now(),
    updated_at        timestamptz NOT NULL DEFAULT now(),
    -- When the message was last claimed: the caps against SMS pumping count by it.
    attempted_at      timestamptz,
    -- The request from outside that wants the message: its later tries are logged under the same id.
    request_id        text,
    -- Whose code the message carries: an integrator finds the SMS of a verification in the sandbox.
    verification_id   uuid,
    -- A message may fail twice: an unknown one that a callback reports as sent, then as failed.
    failure_announced boolean NOT NULL DEFAULT false,
    -- The span that stored the message (ADR 51): each attempt to send it belongs to the same trace.
    traceparent       text,
    CHECK ((status = 'sending') = (claimed_until IS NOT NULL))
  ) WITH (${LONG_LIVED_ROWS});
  -- The queue of each wholesaler in the order of its messages. The expression is QUEUE_ID of
  -- messages/message-budgets.sql.ts.
  CREATE INDEX messages_waiting ON messages (
      (coalesce(wholesaler_id, '00000000-0000-0000-0000-000000000000'::uuid)), next_attempt_at, id)
    WHERE status = 'pending';
  CREATE INDEX messages_to_expire ON messages (expires_at) WHERE status = 'pending';
  -- Unknown messages keep phone and values until they expire. There are few.
  CREATE INDEX messages_unknown ON messages (expires_at)
    WHERE status = 'unknown' AND sealed IS NOT NULL;
  CREATE INDEX messages_claimed ON messages (claimed_until) WHERE status = 'sending';
  CREATE INDEX messages_newest ON messages (created_at, id);
  CREATE INDEX messages_of_phone ON messages (phone_index, created_at, id);
  CREATE INDEX messages_attempted_for_phone ON messages (phone_index, attempted_at)
    WHERE attempted_at IS NOT NULL;
  CREATE INDEX messages_of_status ON messages (status, created_at, id);
  -- For the status of an order's SMS.
  CREATE INDEX messages_of_subject ON messages (subject_id, template, created_at, id);

  -- Every call to a provider that was made for a message.
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

  -- The rows that a claim locks. What a wholesaler's cap counts, and the last minute that it was
  -- reached in; and the phone's.
  CREATE TABLE claims_of_minute (
    wholesaler_id uuid PRIMARY KEY,
    minute        timestamptz NOT NULL,
    claimed       integer NOT NULL,
    full_minute   timestamptz
  ) WITH (fillfactor = 50);
  CREATE TABLE phone_claims (
    phone_index bytea PRIMARY KEY,
    version     bigint NOT NULL DEFAULT 1
  ) WITH (fillfactor = 50);

  -- Wholesalers and payment providers that have had an event or an endpoint.
  CREATE TABLE event_owners (
    id            uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind IN ('wholesaler', 'payment-provider')),
    last_position bigint NOT NULL DEFAULT 0,
    wants_events  boolean NOT NULL DEFAULT true
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
    is_test         boolean NOT NULL DEFAULT false,
    UNIQUE (owner_id, position)
  ) WITH (${LONG_LIVED_ROWS});
  CREATE INDEX events_created_at ON events (created_at);
  CREATE INDEX events_of_time ON events (owner_id, occurred_at);

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
  ) WITH (${LONG_LIVED_ROWS});
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at)
    WHERE status = 'pending';
  CREATE INDEX webhook_deliveries_claimed ON webhook_deliveries (claimed_until)
    WHERE status = 'sending';
  CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, subject_id)
    WHERE status IN ('pending', 'sending');
  CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (endpoint_id, id);
  -- For ops' list of failing webhooks. A delivery that succeeds at once is never in it.
  CREATE INDEX webhook_deliveries_failing ON webhook_deliveries (id)
    WHERE status = 'failed' OR status = 'pending' AND attempts > 0;
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
`;
