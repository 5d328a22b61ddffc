import type { Schema } from '@fiado/chassis/db/schema';
import { accountsBaseline } from './baseline.sql';
import { firstMigrations } from './first-migrations';
import {
  accountsTriggers,
  AWAIT_NAMES,
  AWAIT_NAMES_OF_STORE,
  AWAIT_NAMES_OF_USER,
} from './triggers.sql';
import { indexMigration, migration } from '@fiado/chassis/db/migration';
import { SHORT_LIVED_ROWS } from '@fiado/chassis/db/baseline.sql';
import { roleOf } from '@fiado/chassis/db/roles';

const ROLE = roleOf('accounts');

/**
 * SQL: an entry that changed something, and no look, sign-in, download or refused credential. As in the index
 * audit_log_changes. It has no dollar sign, which lists take for a parameter.
 */
export const IS_CHANGE = String.raw`action !~ '[.](viewed|listed|searched|revealed|fetched|downloaded|linked|refused|signed-in.*|session-ended)\Z'`;

/** What changed the tables of accounts since 1.0.0, oldest first. One that was merged is not edited. */
export const accountsMigrations: Function[] = [
  ...firstMigrations,
  // Tells which erasure a phone belonged to, so that a check can look for what is left under it.
  migration(
    'NameErasuresOfPhones1796600000000',
    'ALTER TABLE erased_phones ADD COLUMN erasure_id uuid',
  ),
  // Words of names, by which ops finds a store (ADR 86), and the stores whose names are not indexed
  // yet.
  migration(
    'IndexNames1797000000000',
    `
      CREATE TABLE name_words (
        corner_store_id uuid PRIMARY KEY REFERENCES corner_stores,
        -- Keyed fingerprints of the words of its name and of its owner's, sorted.
        words           bytea[] NOT NULL
      );
      CREATE INDEX name_words_words ON name_words USING gin (words);
      CREATE TABLE names_due (
        seq             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        corner_store_id uuid NOT NULL
      ) WITH (${SHORT_LIVED_ROWS});
      GRANT SELECT, INSERT, UPDATE, DELETE ON name_words, names_due TO ${ROLE};
      -- Before the names of today are listed by the next migration, so that no change is missed.
      ${[...AWAIT_NAMES, AWAIT_NAMES_OF_STORE, AWAIT_NAMES_OF_USER].join(';')}
    `,
  ),
  // The stores of before are indexed too. A loop does that while the service runs.
  migration(
    'AwaitNames1797000001000',
    'INSERT INTO names_due (corner_store_id) SELECT id FROM corner_stores ORDER BY id',
  ),
  // What the upload of an image found: that it is small, or blurred. Null for the images of before.
  migration(
    'KeepImageWarnings1797100000000',
    'ALTER TABLE onboarding_documents ADD COLUMN warnings text[]',
  ),
  // How many rows of a person stay in a service after a step of an erasure.
  migration(
    'CountKeptRows1797200000000',
    'ALTER TABLE erasure_parts ADD COLUMN kept_rows integer NOT NULL DEFAULT 0',
  ),
  // Ends the requests of erased persons: earlier releases left them open, and nobody could answer
  // them.
  migration(
    'EndRequestsOfErasedPersons1797300000000',
    `
      UPDATE privacy_requests r
         SET status = 'refused', outcome = 'refused', reason_code = 'no-data',
             answered_by = 'accounts', answered_at = now()
        FROM corner_stores s
       WHERE s.user_id = r.user_id AND s.erased_at IS NOT NULL
         AND r.status IN ('open', 'executing')
         AND NOT EXISTS (SELECT FROM erasures e WHERE e.request_id = r.id)`,
  ),
  // When the copy for a person was last tried, so that one at fault keeps no other waiting.
  migration(
    'RetryPackages1797300001000',
    'ALTER TABLE privacy_requests ADD COLUMN package_tried_at timestamptz',
  ),
  // What the loop of approved changes has to know of one (ADR 87).
  migration(
    'ExecuteChangesByRows1797500005000',
    `
      ALTER TABLE change_requests
        -- Attempts at making the change; one that is running counts.
        ADD COLUMN attempts integer NOT NULL DEFAULT 0,
        -- Of an approved change of accounts: when it is made. Null where nothing is to be done here.
        ADD COLUMN next_attempt_at timestamptz,
        ADD COLUMN last_error text,
        -- When its last attempt failed; null where some are left, and where ops retried it.
        ADD COLUMN dead_at timestamptz,
        -- Of the request that approved it, until it is made.
        ADD COLUMN request_id text,
        ADD COLUMN traceparent text`,
  ),
  // For the claim of approved changes, and for the dead letters among them: few wait, for milliseconds.
  indexMigration('IndexChangesToExecute1797500005100', {
    change_requests_to_execute: `ON change_requests (id, next_attempt_at)
       WHERE status = 'approved' AND next_attempt_at IS NOT NULL AND dead_at IS NULL`,
    change_requests_dead: `ON change_requests (dead_at, id)
       WHERE status = 'approved' AND next_attempt_at IS NOT NULL AND dead_at IS NOT NULL`,
  }),
  // The wholesaler that set a phone, while no code that was sent to it has come back; null: the phone is known.
  migration(
    'MarkUnprovenPhones1799250000000',
    'ALTER TABLE users ADD COLUMN phone_unproven_by uuid',
  ),
  // Who is a second person: everybody has a root, which all accounts of one human share (ADR 54).
  migration(
    'KeepRoots1799255000000',
    `
      -- The id of a person; its own where it is known to be nobody else. Null: the person has not come in
      -- yet, or came in before there were roots.
      ALTER TABLE staff ADD COLUMN root_id uuid;
      ALTER TABLE staff_invitations
        -- The root of a person that has none and comes in by this link.
        ADD COLUMN root_id uuid,
        -- When somebody came in by it.
        ADD COLUMN opened_at timestamptz;
      -- The person or the key that collected it, whose root it has. Null: from before, and not known.
      ALTER TABLE ops_keys ADD COLUMN issued_by text;
      -- A passkey may be of who held the link, so only the identity provider proves a person of before.
      UPDATE staff SET root_id = id
       WHERE oidc_sub IS NOT NULL
         AND NOT EXISTS (SELECT FROM staff_credentials c WHERE c.staff_id = staff.id);
      UPDATE ops_keys SET issued_by =
        (SELECT actor_id FROM audit_log
          WHERE object_id = ops_keys.id AND action = 'ops-key.issued' LIMIT 1)
    `,
  ),
  // Wrong codes of a visit, over all of its codes: a new code begins `checks` anew.
  migration(
    'CountWrongVisitCodes1799256000000',
    'ALTER TABLE account_visits ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0',
  ),
  // Names are found in the memory of each process (ADR 86). name_words and names_due stay until the next release,
  // whose processes may run beside those of 1.0, but empty: equal hashes told equal words. The functions come first,
  // so that nothing is written to them after they were emptied.
  migration(
    'ForgetWordsOfNames1799257000000',
    `
      CREATE TABLE name_changes (
        seq             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        corner_store_id uuid NOT NULL,
        -- Tells a reader which changes it may not have seen: numbers are not in the order of commits.
        xid             xid8 NOT NULL DEFAULT pg_current_xact_id(),
        changed_at      timestamptz NOT NULL DEFAULT now()
      ) WITH (${SHORT_LIVED_ROWS});
      CREATE INDEX name_changes_xid ON name_changes (xid, seq);
      CREATE INDEX name_changes_ended ON name_changes (changed_at);
      GRANT SELECT, INSERT, UPDATE, DELETE ON name_changes TO ${ROLE};
      ${AWAIT_NAMES.join(';')};
      TRUNCATE name_words, names_due;
    `,
  ),
  // For what verify asks of changes that other services made, and for who moved the phone of a store's owner.
  indexMigration('IndexChangesByWhatTheyChange1799258000000', {
    change_requests_of_target: 'ON change_requests (target_id)',
    change_requests_adjusted: `ON change_requests ((payload->>'wholesalerId'))
       WHERE kind = 'settlement.adjust' AND status = 'executed'`,
    change_requests_rectified: `ON change_requests ((payload->>'userId'), decided_at)
       WHERE kind = 'privacy.rectify' AND status = 'executed'`,
  }),
  // Corner stores that the lender has paused. A process of the release before keeps the pause and its status.
  migration('PauseCornerStores1799503000000', 'ALTER TABLE corner_stores ADD COLUMN pause jsonb'),
  indexMigration('IndexPausedCornerStores1799503001000', {
    corner_stores_paused: 'ON corner_stores (created_at DESC, id DESC) WHERE pause IS NOT NULL',
  }),
  migration(
    'HoldUnprovenDeliveries1799504000000',
    `
      ALTER TABLE wholesalers
        -- Cents of the accepted items of batches in a day; 0 is no limit.
        ADD COLUMN batch_cents_per_day bigint NOT NULL DEFAULT 0 CHECK (batch_cents_per_day >= 0),
        -- Days that a delivery without a right delivery word waits for its statement.
        ADD COLUMN hold_unproven_days integer NOT NULL DEFAULT 0 CHECK (hold_unproven_days >= 0)`,
  ),
  // For who changed an object: looks at it are many times more.
  indexMigration('IndexChangesOfObjects1799505000000', {
    audit_log_changes: `ON audit_log (object_id, occurred_at DESC, id DESC)
       WHERE object_id IS NOT NULL AND ${IS_CHANGE}`,
  }),
  migration('AddTaxProfiles1799506000000', 'ALTER TABLE users ADD COLUMN tax_profile bytea'),
  // Whose number gets messages by WhatsApp: since when, and how the owner agreed. Null without consent.
  migration(
    'AgreeToWhatsapp1799507000000',
    'ALTER TABLE users ADD COLUMN whatsapp_agreed_at timestamptz, ADD COLUMN whatsapp_source text',
  ),
];

export const accountsSchema: Schema = {
  name: 'accounts',
  entities: () => (require('./entities') as typeof import('./entities')).accountsEntities,
  baseline: accountsBaseline,
  migrations: accountsMigrations,
  triggers: accountsTriggers,
};
