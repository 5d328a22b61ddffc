import { roleOf } from '@fiado/chassis/db/roles';
import type { QueryRunner } from 'typeorm';

const ROLE = roleOf('accounts');

/** Requests of persons about their data, what their erasure did, and consents to the privacy notice. */
export class KeepPrivacyRequests1796000000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What a person asked the lender about their own data. Codes only: no text that somebody typed.
      CREATE TABLE privacy_requests (
        id                 uuid PRIMARY KEY,
        user_id            uuid NOT NULL REFERENCES users,
        kind               text NOT NULL CHECK (kind IN
                             ('access', 'rectification', 'cancellation', 'opposition')),
        -- How it came, and how the person proved who they are; never what they showed.
        channel            text NOT NULL,
        identity_proof     text NOT NULL,
        received_at        timestamptz NOT NULL,
        -- Ends of days. The first is moved once by an extension, and so is the second.
        answer_due_at      timestamptz NOT NULL,
        answer_extended    boolean NOT NULL DEFAULT false,
        execution_due_at   timestamptz,
        execution_extended boolean NOT NULL DEFAULT false,
        status             text NOT NULL DEFAULT 'open' CHECK (status IN
                             ('open', 'executing', 'done', 'refused')),
        outcome            text CHECK (outcome IN ('granted', 'refused')),
        -- Of the refusal, or of the last extension.
        reason_code        text,
        opened_by          text NOT NULL,
        answered_by        text,
        answered_at        timestamptz,
        done_at            timestamptz,
        created_at         timestamptz NOT NULL DEFAULT now(),
        CHECK ((status = 'open') = (outcome IS NULL)),
        CHECK ((outcome IS NULL) = (answered_at IS NULL)),
        CHECK ((status = 'refused') = (outcome IS NOT DISTINCT FROM 'refused')),
        CHECK ((status = 'done') = (done_at IS NOT NULL))
      );
      CREATE UNIQUE INDEX privacy_requests_open ON privacy_requests (user_id, kind)
        WHERE status IN ('open', 'executing');
      CREATE INDEX privacy_requests_of_user ON privacy_requests (user_id, id);

      -- The two steps of a cancellation: the block, and the suppression when the retention ends.
      CREATE TABLE erasures (
        id              uuid PRIMARY KEY,
        request_id      uuid NOT NULL REFERENCES privacy_requests,
        user_id         uuid NOT NULL,
        corner_store_id uuid NOT NULL,
        phase           text NOT NULL CHECK (phase IN ('block', 'suppress')),
        due_at          timestamptz NOT NULL,
        state           text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done')),
        -- JSON, as it was hashed: counts of rows, and no value of the person.
        report          text,
        report_sha256   bytea,
        created_at      timestamptz NOT NULL DEFAULT now(),
        UNIQUE (request_id, phase),
        CHECK ((state = 'done') = (report IS NOT NULL)),
        CHECK ((report IS NULL) = (report_sha256 IS NULL))
      );
      CREATE INDEX erasures_of_user ON erasures (user_id);
      CREATE INDEX erasures_open ON erasures (due_at) WHERE state <> 'done';

      -- What each service has done of an erasure.
      CREATE TABLE erasure_parts (
        erasure_id uuid NOT NULL REFERENCES erasures,
        service    text NOT NULL,
        -- Counts by table and column.
        rows       jsonb NOT NULL,
        done_at    timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (erasure_id, service)
      );

      -- Blind indexes of the phones of erased persons: an old import must not bring anybody back.
      CREATE TABLE erased_phones (
        keyed_hash bytea PRIMARY KEY,
        at         timestamptz NOT NULL DEFAULT now()
      );

      -- Consents to a version of the lender's privacy notice.
      CREATE TABLE consents (
        id              uuid PRIMARY KEY DEFAULT uuidv7(),
        user_id         uuid NOT NULL REFERENCES users,
        verification_id uuid REFERENCES verifications,
        notice_version  text NOT NULL,
        -- Where the notice stood then; null where the consent was given elsewhere.
        notice_url      text,
        -- Of the notice's file; null where the lender keeps none.
        notice_sha256   bytea,
        purposes        text[] NOT NULL CHECK (cardinality(purposes) > 0),
        channel         text NOT NULL CHECK (channel IN ('link', 'api', 'ops')),
        given_at        timestamptz NOT NULL DEFAULT now(),
        withdrawn_at    timestamptz
      );
      CREATE UNIQUE INDEX consents_given ON consents (verification_id, notice_version)
        WHERE withdrawn_at IS NULL;
      CREATE INDEX consents_of_user ON consents (user_id, given_at);
      -- A consent is history: all that may happen to it is that it is withdrawn.
      REVOKE UPDATE, DELETE ON consents FROM ${ROLE};
      GRANT UPDATE (withdrawn_at) ON consents TO ${ROLE};

      -- Processes of 1.0.0 still write here during a release. A later release drops the table.
      CREATE FUNCTION move_consent() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        INSERT INTO consents
          (user_id, verification_id, notice_version, notice_url, purposes, channel, given_at)
        SELECT v.user_id, v.id, NEW.notice_version, NEW.notice_url, ARRAY['necessary'], 'link',
               NEW.consented_at
          FROM verifications v WHERE v.id = NEW.verification_id
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER move_consent AFTER INSERT ON privacy_consents FOR EACH ROW
        EXECUTE FUNCTION move_consent();
    `);
  }
}
