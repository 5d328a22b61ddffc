import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { roleOf } from '@fiado/chassis/db/roles';

const ROLE = roleOf('accounts');

/** The older half of what changed the tables of accounts since 1.0.0, oldest first. It is not edited. */
export const firstMigrations: Function[] = [
  // When the statements of a wholesaler close.
  migration(
    'SetSettlementPeriod1795600001000',
    `
      ALTER TABLE wholesalers
        ADD COLUMN settlement_every text NOT NULL DEFAULT 'weekly'
          CHECK (settlement_every IN ('daily', 'weekly', 'on-demand'))
    `,
  ),
  // Requests of persons about their data, what their erasure did, and consents to the privacy
  // notice.
  migration(
    'KeepPrivacyRequests1796000000000',
    `
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
    `,
  ),
  // The consents of before; from then on a trigger copies those that processes of 1.0.0 write.
  migration(
    'MoveConsents1796000001000',
    `
      INSERT INTO consents
        (user_id, verification_id, notice_version, notice_url, purposes, channel, given_at)
      SELECT v.user_id, v.id, c.notice_version, c.notice_url, ARRAY['necessary'], 'link',
             c.consented_at
        FROM privacy_consents c JOIN verifications v ON v.id = c.verification_id
      ON CONFLICT DO NOTHING
    `,
  ),
  // The state of a corner store after its owner's requests about their data.
  migration(
    'BlockCornerStores1796000002000',
    `
      ALTER TABLE corner_stores
        -- The owner's data are kept and not used, until they are suppressed.
        ADD COLUMN blocked_at timestamptz,
        ADD COLUMN erased_at timestamptz,
        -- The owner gets no reminders before a debt is due.
        ADD COLUMN opposed_at timestamptz,
        -- When the last SMS about an opposition went to the store: one a day.
        ADD COLUMN opposition_told_at timestamptz
    `,
  ),
  // Words about reminders may arrive in another order than they were sent: the latest counts.
  migration(
    'TimeOppositions1796000003000',
    'ALTER TABLE corner_stores ADD COLUMN opposition_changed_at timestamptz',
  ),
  // What is erased of a person becomes null.
  migration(
    'LetPersonsBeErased1796100000000',
    `
      ALTER TABLE users
        ALTER COLUMN first_name DROP NOT NULL,
        ALTER COLUMN last_names DROP NOT NULL,
        ALTER COLUMN phone DROP NOT NULL;
      ALTER TABLE verifications ALTER COLUMN phone DROP NOT NULL
    `,
  ),
  // What an erasure needs from one step to the next.
  migration(
    'KeepErasureState1796100001000',
    `
      ALTER TABLE erasures
        -- Random bytes: a renamed value is a hash with them. Null before and after the erasure.
        ADD COLUMN name_key bytea,
        -- Images whose rows are gone, until they are gone too.
        ADD COLUMN files text[] NOT NULL DEFAULT '{}';
      -- Of the person's orders, debts, deposits and payouts: the rows of other services name only these.
      ALTER TABLE erasure_parts ADD COLUMN object_ids uuid[] NOT NULL DEFAULT '{}'
    `,
  ),
  // For the loop that deletes the contacts of stores some time after the decision on them.
  indexMigration('IndexContacts1796100002000', {
    users_with_contacts: 'ON users (id) WHERE contacts IS NOT NULL',
  }),
  // When money last moved between a person and the lender: the retention begins then.
  migration(
    'KeepLastMoney1796100003000',
    'ALTER TABLE erasure_parts ADD COLUMN last_money_at timestamptz',
  ),
  // Copies that persons asked for, of what is kept of them.
  migration(
    'KeepPrivacyPackages1796100004000',
    `
      CREATE TABLE privacy_packages (
        request_id  uuid PRIMARY KEY REFERENCES privacy_requests,
        user_id     uuid NOT NULL,
        -- Of the sealed file in the document store; null once its time is over.
        storage_key text,
        size_bytes  bigint NOT NULL,
        ready_at    timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX privacy_packages_of_user ON privacy_packages (user_id, ready_at);
      CREATE INDEX privacy_packages_kept ON privacy_packages (ready_at) WHERE storage_key IS NOT NULL;
    `,
  ),
  // Visits to the page "Mi cuenta" by number and code, and who gave a user their number.
  migration(
    'KeepAccountVisits1796200000000',
    `
      CREATE TABLE account_visits (
        id              uuid PRIMARY KEY,
        -- Of the token in the visitor's cookie, which is kept nowhere.
        token_hash      bytea NOT NULL UNIQUE,
        -- Of the number that was typed, whether a user has it or not.
        phone_index     bytea NOT NULL,
        phone_masked    text NOT NULL,
        address_index   bytea NOT NULL,
        code_salt       bytea NOT NULL,
        code_expires_at timestamptz NOT NULL,
        sends           integer NOT NULL DEFAULT 1,
        checks          integer NOT NULL DEFAULT 0,
        -- When the right code was typed.
        proved_at       timestamptz,
        expires_at      timestamptz NOT NULL,
        created_at      timestamptz NOT NULL DEFAULT now()
      );
      -- For the budgets of a number, of an address and of the installation.
      CREATE INDEX account_visits_of_phone ON account_visits (phone_index, created_at);
      CREATE INDEX account_visits_of_address ON account_visits (address_index, created_at);
      CREATE INDEX account_visits_created ON account_visits (created_at);
      CREATE INDEX account_visits_ended ON account_visits (expires_at);
      GRANT SELECT, INSERT, UPDATE, DELETE ON account_visits TO ${ROLE};

      -- The wholesaler that changed the number last; null where nobody changed it since ops imported the
      -- user, or where ops confirmed it.
      ALTER TABLE users ADD COLUMN phone_given_by uuid;
      UPDATE users SET phone_given_by = change.wholesaler_id
        FROM (SELECT DISTINCT ON (corner_store_id) corner_store_id, wholesaler_id
                FROM phone_changes ORDER BY corner_store_id, changed_at DESC) change
        JOIN corner_stores store ON store.id = change.corner_store_id
       WHERE users.id = store.user_id;
    `,
  ),
];
