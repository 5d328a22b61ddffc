// Tables of the first release that several schemas have. They are never edited: a change is a
// migration (CONTRIBUTING.md).

/**
 * Rows that are changed some times and deleted within a day or a month: a vacuum starts after 1 % of
 * the table and not 20 %, so that their space is used again. It takes no pauses, because these tables
 * are small.
 */
export const SHORT_LIVED_ROWS =
  'autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, ' +
  'autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05';

/**
 * Rows that change for some weeks and are then kept for months or for good. 20 % of a table of years
 * are millions of dead rows, and as many in each of its indexes.
 */
export const LONG_LIVED_ROWS =
  'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, ' +
  'autovacuum_analyze_scale_factor = 0.02';

/**
 * Of every schema: outbox (jobs to hand to a queue), inbox (jobs already done), idempotency_keys
 * (answers already given) and key_fingerprints (which secrets sealed this data).
 */
export const CREATE_CHASSIS_TABLES = `
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
    dead_reason       text,
    -- The request from outside that caused the job, and the span that wrote it (ADR 51).
    request_id        text,
    traceparent       text,
    -- When a job that its queue refused is tried again; null for one that was never refused.
    retry_at          timestamptz
  ) WITH (${SHORT_LIVED_ROWS});
  -- The relay claims some rows of each queue.
  CREATE INDEX outbox_waiting ON outbox (queue, retry_at NULLS FIRST, created_at)
    WHERE enqueued_at IS NULL;
  CREATE INDEX outbox_to_sweep ON outbox (enqueued_at)
    WHERE enqueued_at IS NOT NULL AND done_at IS NULL AND dead_at IS NULL;
  CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
  -- Dead letters are read often. A partial index stays small because they are few.
  CREATE INDEX outbox_dead ON outbox (dead_at, id) WHERE dead_at IS NOT NULL AND done_at IS NULL;

  CREATE TABLE inbox (
    message_id  uuid PRIMARY KEY,
    received_at timestamptz NOT NULL DEFAULT now()
  ) WITH (${SHORT_LIVED_ROWS});
  CREATE INDEX inbox_received_at ON inbox (received_at);

  CREATE TABLE idempotency_keys (
    id             bytea PRIMARY KEY,
    -- Of the body in its canonical form (ADR 6).
    request_hash   bytea NOT NULL,
    status         integer NOT NULL,
    body           text NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- Not used.
    canonical_hash bytea
  ) WITH (${SHORT_LIVED_ROWS});
  CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

  CREATE TABLE key_fingerprints (
    name        text PRIMARY KEY,
    fingerprint text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
  );
`;

/**
 * Of a schema that holds sealed values: data_keys (wrapped by ENCRYPTION_KEY), data_key_holders
 * (which processes have read them) and sealed_tables (how far the loop is that seals with the newest
 * key).
 */
export const CREATE_DATA_KEYS = `
  CREATE TABLE data_keys (
    kind         text NOT NULL CHECK (kind IN ('seal', 'index')),
    number       integer NOT NULL CHECK (number >= 0),
    -- Null once it is retired: nothing can open its values any more.
    wrapped      bytea,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Since when this service seals with it; null while it only opens.
    sealing_from timestamptz,
    retired_at   timestamptz,
    PRIMARY KEY (kind, number),
    CHECK ((wrapped IS NULL) = (retired_at IS NOT NULL))
  );

  CREATE TABLE data_key_holders (
    instance uuid PRIMARY KEY,
    newest   integer NOT NULL,
    seen_at  timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE sealed_tables (
    name         text PRIMARY KEY,
    key_number   integer NOT NULL,
    -- The last row that was read; null before the first.
    after        uuid,
    failed       integer NOT NULL DEFAULT 0,
    leased_until timestamptz,
    finished_at  timestamptz
  );
`;

/**
 * Of a schema whose triggers write events (ADR 33): who wants them. An owner without a row costs a
 * look-up and writes nothing.
 */
export const CREATE_EVENT_OWNERS = `
  CREATE TABLE event_owners (
    owner_id   uuid PRIMARY KEY,
    owner_kind text NOT NULL CHECK (owner_kind IN ('wholesaler', 'payment-provider')),
    created_at timestamptz NOT NULL DEFAULT now()
  );
`;

/**
 * Of a schema whose service takes orders or onboards (ADR 51): refused requests of wholesalers, at
 * most 1,000 rows of each in a day, and the number of all. Both are kept for 30 days.
 */
export const CREATE_REFUSALS = `
  CREATE TABLE refusals (
    id              uuid PRIMARY KEY,
    refused_at      timestamptz NOT NULL,
    wholesaler_id   uuid NOT NULL,
    -- A customer of the wholesaler, where the request names one.
    corner_store_id uuid,
    operation       text NOT NULL,
    error_code      text NOT NULL,
    request_id      text NOT NULL,
    -- As they were sent: never personal data.
    ids             jsonb NOT NULL
  );
  CREATE INDEX refusals_of_corner_store ON refusals (corner_store_id, refused_at)
    WHERE corner_store_id IS NOT NULL;
  CREATE INDEX refusals_of_wholesaler ON refusals (wholesaler_id, refused_at);
  CREATE INDEX refusals_by_age ON refusals (refused_at);

  CREATE TABLE refusal_counts (
    wholesaler_id uuid NOT NULL,
    -- In UTC.
    day           date NOT NULL,
    refused       bigint NOT NULL,
    PRIMARY KEY (wholesaler_id, day)
  );
  CREATE INDEX refusal_counts_by_age ON refusal_counts (day);
`;
