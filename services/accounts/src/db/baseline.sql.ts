import {
  CREATE_DATA_KEYS,
  CREATE_EVENT_OWNERS,
  CREATE_REFUSALS,
} from '@fiado/chassis/db/baseline.sql';

/** Tables of the first release. They are never edited: a change is a migration. */
export const accountsBaseline = `
  ${CREATE_DATA_KEYS}
  ${CREATE_EVENT_OWNERS}
  ${CREATE_REFUSALS}

  -- Who may call: wholesalers, payment providers, their keys and those of ops.
  CREATE TABLE wholesalers (
    id                        uuid PRIMARY KEY,
    name                      text NOT NULL,
    minimum_transaction_cents bigint NOT NULL CHECK (minimum_transaction_cents >= 0),
    commission_rate           numeric(9, 6) NOT NULL CHECK (commission_rate >= 0),
    payment_term_days         integer NOT NULL CHECK (payment_term_days >= 0),
    delivery_word_enabled     boolean NOT NULL,
    delivery_word_required    boolean NOT NULL,
    confirmation_required     boolean NOT NULL,
    delivery_overage_rate     numeric(9, 6) NOT NULL CHECK (delivery_overage_rate >= 0),
    version                   bigint NOT NULL DEFAULT 1,
    created_at                timestamptz NOT NULL DEFAULT now(),
    updated_at                timestamptz NOT NULL DEFAULT now(),
    -- A limit of its own, where ops raised it.
    sms_to_unknown_per_day    integer CHECK (sms_to_unknown_per_day >= 0),
    -- What follows from a change of phone without a code.
    phone_change_hold         text NOT NULL DEFAULT 'shared'
                              CHECK (phone_change_hold IN ('shared', 'always', 'never')),
    batch_enabled             boolean NOT NULL DEFAULT true,
    batch_items_per_day       integer NOT NULL DEFAULT 0 CHECK (batch_items_per_day >= 0)
  );

  CREATE TABLE payment_providers (
    id                      uuid PRIMARY KEY,
    name                    text NOT NULL,
    time_zone               text NOT NULL,
    created_at              timestamptz NOT NULL DEFAULT now(),
    -- Addresses and networks that may call; empty is any.
    allowed_addresses       text[] NOT NULL DEFAULT '{}',
    signature_required      boolean NOT NULL DEFAULT false,
    -- Sealed. The one before the newest is valid until its time.
    signing_secret          bytea,
    previous_signing_secret bytea,
    previous_secret_until   timestamptz,
    -- An approved change of an earlier version is not made.
    version                 bigint NOT NULL DEFAULT 1,
    CONSTRAINT payment_providers_name_key UNIQUE (name),
    CONSTRAINT signs_with_a_secret CHECK (NOT signature_required OR signing_secret IS NOT NULL)
  );

  CREATE TABLE api_keys (
    id                  uuid PRIMARY KEY,
    kind                text NOT NULL,
    wholesaler_id       uuid REFERENCES wholesalers,
    payment_provider_id uuid REFERENCES payment_providers,
    key_hash            bytea NOT NULL,
    -- Null is all that keys of the kind may. Never the empty list: one that lost its last scope must
    -- not mean all.
    scopes              text[] CONSTRAINT api_keys_scopes_named CHECK (cardinality(scopes) > 0),
    expires_at          timestamptz,
    revoked_at          timestamptz,
    last_used_at        timestamptz,
    created_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
    -- A key belongs to exactly the one party that its kind names.
    CHECK ((kind = 'wholesaler' AND wholesaler_id IS NOT NULL AND payment_provider_id IS NULL)
        OR (kind = 'provider' AND payment_provider_id IS NOT NULL AND wholesaler_id IS NULL))
  );

  CREATE TABLE ops_keys (
    id           uuid PRIMARY KEY,
    name         text NOT NULL,
    scope        text NOT NULL CHECK (scope IN ('viewer', 'operator', 'approver', 'admin')),
    key_hash     bytea NOT NULL,
    expires_at   timestamptz NOT NULL,
    revoked_at   timestamptz,
    last_used_at timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ops_keys_key_hash_key UNIQUE (key_hash)
  );

  -- What was done. A read that concerns several corner stores, or none, has no object.
  CREATE TABLE audit_log (
    id          uuid PRIMARY KEY,
    occurred_at timestamptz NOT NULL DEFAULT now(),
    actor_kind  text NOT NULL,
    actor_id    text NOT NULL,
    action      text NOT NULL,
    object_id   uuid,
    -- Never personal data: this table cannot forget.
    details     jsonb NOT NULL
  );
  CREATE INDEX audit_log_object ON audit_log (object_id, occurred_at);
  -- For the pages of the audit log: all of it, one actor's and one action's, newest first.
  CREATE INDEX audit_log_newest ON audit_log (occurred_at, id);
  CREATE INDEX audit_log_of_actor ON audit_log (actor_id, occurred_at, id);
  CREATE INDEX audit_log_of_action ON audit_log (action, occurred_at, id);
  -- The entries of this minute about refused credentials are counted before each more.
  CREATE INDEX audit_log_refused_credentials ON audit_log (occurred_at)
    WHERE action = 'credential.refused';

  -- The chain of hashes over the audit log. Each new entry waits in audit_unchained, by trigger. A
  -- loop chains them, so no request waits for the head.
  CREATE TABLE audit_unchained (
    seq      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id uuid NOT NULL UNIQUE,
    since    timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE audit_chain (
    -- From 1, without gaps.
    position   bigint PRIMARY KEY,
    entry_id   uuid NOT NULL UNIQUE,
    -- The entry as it was chained. A text, because a hash over jsonb would rely on how this version of
    -- PostgreSQL writes it.
    content    text NOT NULL,
    -- SHA-256 of the hash before, the position and the content.
    hash       bytea NOT NULL,
    chained_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE audit_chain_head (
    one        boolean PRIMARY KEY DEFAULT true CHECK (one),
    position   bigint NOT NULL,
    hash       bytea NOT NULL,
    -- The last daily check of the whole chain, and what it found broken.
    checked_at timestamptz NOT NULL DEFAULT now(),
    break      jsonb
  );
  INSERT INTO audit_chain_head (position, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

  -- Users, their corner stores, whose customers those are, and the verifications of their phones.
  CREATE TABLE users (
    id          uuid PRIMARY KEY,
    first_name  bytea NOT NULL,
    last_names  bytea NOT NULL,
    phone       bytea NOT NULL,
    phone_index bytea NOT NULL,
    latitude    bytea,
    longitude   bytea,
    contacts    bytea,
    -- json, not jsonb: kept as it was sent.
    metadata    json,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_phone_index_key UNIQUE (phone_index)
  );

  CREATE TABLE corner_stores (
    id                   uuid PRIMARY KEY,
    user_id              uuid NOT NULL UNIQUE REFERENCES users,
    status               text NOT NULL DEFAULT 'pre-approved'
                         CHECK (status IN ('pre-approved', 'in-manual-validation', 'approved')),
    credit_limit_cents   bigint NOT NULL CHECK (credit_limit_cents >= 0),
    interest_rate        numeric(9, 6) NOT NULL CHECK (interest_rate >= 0),
    rejection_reason     text,
    -- Of payments' events; ordered by their version, not by ours.
    overdue              boolean NOT NULL DEFAULT false,
    overdue_version      bigint NOT NULL DEFAULT 0,
    version              bigint NOT NULL DEFAULT 1,
    created_at           timestamptz NOT NULL DEFAULT now(),
    updated_at           timestamptz NOT NULL DEFAULT now(),
    -- Steps taken so far, each once.
    onboarding_steps     text[] NOT NULL DEFAULT '{}',
    -- Sealed: the name, which has a step of its own, and the rest as JSON.
    name                 bytea,
    information          bytea,
    -- Null is the installation's: messages come in the store's day.
    time_zone            text,
    -- Why an incomplete store was approved.
    approval_reason      text,
    -- The limit that two people approved last, else the imported one. Null: it never changed.
    approved_limit_cents bigint,
    -- Sum of the raises by one person since then; see domain/guarded-terms.ts.
    raised_alone_cents   bigint NOT NULL DEFAULT 0 CHECK (raised_alone_cents >= 0)
  );
  CREATE INDEX corner_stores_newest ON corner_stores (created_at DESC, id DESC);
  -- For the list of corner stores by the status that is shown.
  CREATE INDEX corner_stores_of_status ON corner_stores (
    (CASE WHEN status = 'approved' AND overdue THEN 'in-payment-default' ELSE status END),
    created_at DESC, id DESC);

  CREATE TABLE customers (
    wholesaler_id     uuid NOT NULL REFERENCES wholesalers,
    corner_store_id   uuid NOT NULL REFERENCES corner_stores,
    external_id       text NOT NULL,
    created_at        timestamptz NOT NULL DEFAULT now(),
    wrong_codes       integer NOT NULL DEFAULT 0,
    wrong_codes_since timestamptz,
    PRIMARY KEY (wholesaler_id, corner_store_id),
    CONSTRAINT customers_external_id_key UNIQUE (wholesaler_id, external_id)
  );
  CREATE INDEX customers_corner_store ON customers (corner_store_id);
  -- Ops looks for a customer by its external id without its wholesaler.
  CREATE INDEX customers_external_id ON customers (external_id);

  CREATE TABLE verifications (
    id            uuid PRIMARY KEY,
    user_id       uuid NOT NULL REFERENCES users,
    wholesaler_id uuid NOT NULL REFERENCES wholesalers,
    phone         bytea NOT NULL,
    phone_index   bytea NOT NULL,
    status        text NOT NULL DEFAULT 'pending'
                  CHECK (status IN ('pending', 'approved', 'cancelled')),
    code_salt     bytea NOT NULL,
    checks        integer NOT NULL DEFAULT 0,
    sends         integer NOT NULL DEFAULT 1,
    expires_at    timestamptz NOT NULL,
    approved_at   timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX verifications_user ON verifications (user_id, wholesaler_id);

  -- Each change of a phone that a wholesaler made without a code.
  CREATE TABLE phone_changes (
    id              uuid PRIMARY KEY,
    wholesaler_id   uuid NOT NULL,
    corner_store_id uuid NOT NULL,
    changed_at      timestamptz NOT NULL DEFAULT now(),
    -- Until when the wholesaler's larger orders for the store are refused; null: they are not.
    held_until      timestamptz,
    FOREIGN KEY (wholesaler_id, corner_store_id) REFERENCES customers
  );
  CREATE INDEX phone_changes_customer ON phone_changes (corner_store_id, wholesaler_id, changed_at);
  CREATE INDEX phone_changes_held ON phone_changes (held_until) WHERE held_until IS NOT NULL;

  -- SMS to numbers that no customer has, by wholesaler and hour.
  CREATE TABLE unknown_number_sends (
    wholesaler_id uuid NOT NULL REFERENCES wholesalers,
    hour          timestamptz NOT NULL,
    sent          integer NOT NULL DEFAULT 0,
    confirmed     integer NOT NULL DEFAULT 0,
    last_sent_at  timestamptz,
    -- Changes of phone that were refused because another user has the number.
    taken         integer NOT NULL DEFAULT 0,
    PRIMARY KEY (wholesaler_id, hour)
  );

  -- The images that a corner store shows of itself, and the links to do so.
  CREATE TABLE onboarding_documents (
    id              uuid PRIMARY KEY,
    corner_store_id uuid NOT NULL REFERENCES corner_stores,
    -- Who sent it, and under which verification.
    wholesaler_id   uuid NOT NULL REFERENCES wholesalers,
    verification_id uuid NOT NULL REFERENCES verifications,
    step            text NOT NULL,
    -- Of the image as it was sent; size and dimensions are those of the image that is kept.
    sha256          bytea NOT NULL,
    size_bytes      integer NOT NULL,
    width           integer NOT NULL,
    height          integer NOT NULL,
    storage_key     text NOT NULL UNIQUE,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT onboarding_documents_image_key UNIQUE (corner_store_id, step, sha256)
  );
  -- Each upload counts those of its wholesaler in the last day.
  CREATE INDEX onboarding_documents_of_wholesaler
    ON onboarding_documents (wholesaler_id, created_at) INCLUDE (size_bytes);

  CREATE TABLE kyc_links (
    id              uuid PRIMARY KEY,
    verification_id uuid NOT NULL REFERENCES verifications,
    -- Of the token in the link, which is kept nowhere.
    token_hash      bytea NOT NULL,
    expires_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kyc_links_token_hash_key UNIQUE (token_hash)
  );
  CREATE INDEX kyc_links_verification ON kyc_links (verification_id);

  -- Consents to the lender's privacy notice, given on the page of an identity link.
  CREATE TABLE privacy_consents (
    verification_id uuid NOT NULL REFERENCES verifications,
    notice_version  text NOT NULL,
    -- Where the notice stood then.
    notice_url      text NOT NULL,
    consented_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (verification_id, notice_version)
  );

  -- Links to the page "Mi cuenta" of a user, each with the code that opens it.
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
  -- Account links are deleted a day after they expired.
  CREATE INDEX account_links_ended ON account_links (expires_at);

  -- The lender's people, how they sign in, and their sessions. Of every token only the hash is kept.
  CREATE TABLE staff (
    id          uuid PRIMARY KEY,
    email       text NOT NULL CONSTRAINT staff_email_key UNIQUE,
    name        text NOT NULL,
    role        text NOT NULL CHECK (role IN ('viewer', 'operator', 'approver', 'admin')),
    oidc_sub    text CONSTRAINT staff_oidc_sub_key UNIQUE,
    disabled_at timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now(),
    -- An approved change of an earlier version is not made.
    version     bigint NOT NULL DEFAULT 1,
    -- Who held the link with which the person came in: the two do not approve each other's changes.
    -- Null: a key of ops held it, or nobody is known to.
    admitted_by text
  );
  CREATE TABLE staff_invitations (
    id         uuid PRIMARY KEY,
    staff_id   uuid NOT NULL REFERENCES staff,
    token_hash bytea NOT NULL CONSTRAINT staff_invitations_token_hash_key UNIQUE,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    held_by    text
  );
  CREATE INDEX staff_invitations_staff_id_idx ON staff_invitations (staff_id);
  CREATE TABLE staff_credentials (
    id           text PRIMARY KEY,
    staff_id     uuid NOT NULL REFERENCES staff,
    public_key   bytea NOT NULL,
    counter      bigint NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz
  );
  CREATE INDEX staff_credentials_staff_id_idx ON staff_credentials (staff_id);
  CREATE TABLE staff_sessions (
    id         uuid PRIMARY KEY,
    staff_id   uuid NOT NULL REFERENCES staff,
    token_hash bytea NOT NULL CONSTRAINT staff_sessions_token_hash_key UNIQUE,
    auth_time  timestamptz NOT NULL,
    idle_until timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    ended_at   timestamptz,
    address    text,
    agent      text,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX staff_sessions_staff_id_idx ON staff_sessions (staff_id);
  -- One row is one attempt to sign in; it is deleted when it is used.
  CREATE TABLE staff_challenges (
    hash          bytea PRIMARY KEY,
    purpose       text NOT NULL CHECK (purpose IN ('enrol', 'sign-in', 'identity-provider')),
    staff_id      uuid REFERENCES staff,
    state         text,
    nonce         text,
    code_verifier text,
    max_age       integer,
    expires_at    timestamptz NOT NULL
  );
  CREATE INDEX staff_challenges_expires_at_idx ON staff_challenges (expires_at);

  -- Changes that wait for a second person.
  CREATE TABLE change_requests (
    id              uuid PRIMARY KEY,
    kind            text NOT NULL,
    target_id       uuid,
    -- Null where the change does not depend on the state of its target.
    target_version  bigint,
    payload         jsonb NOT NULL,
    before          jsonb NOT NULL,
    reason          text,
    requested_by    text NOT NULL,
    requested_at    timestamptz NOT NULL DEFAULT now(),
    status          text NOT NULL DEFAULT 'pending' CHECK (status IN
                      ('pending', 'approved', 'rejected', 'expired', 'executed', 'failed')),
    decided_by      text CHECK (decided_by <> requested_by),
    decision_reason text,
    decided_at      timestamptz,
    failure         text,
    expires_at      timestamptz NOT NULL,
    -- What the change needs and the log must not keep: personal data. Null once it is over.
    sealed_payload  bytea,
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CONSTRAINT change_requests_check3 CHECK ((status = 'failed') = (failure IS NOT NULL)),
    -- A request whose object was changed ends undecided.
    CONSTRAINT change_requests_decided
      CHECK (status IN ('pending', 'expired', 'failed') OR decided_by IS NOT NULL)
  );
  CREATE UNIQUE INDEX change_requests_open_target ON change_requests (kind, target_id)
    WHERE status IN ('pending', 'approved') AND target_version IS NOT NULL;
  CREATE INDEX change_requests_open ON change_requests (expires_at)
    WHERE status IN ('pending', 'approved');
  CREATE INDEX change_requests_of_status ON change_requests (status, id);
`;
