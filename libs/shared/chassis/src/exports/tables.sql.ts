import { HARMLESS, type HarmlessColumns, harmlessColumns } from '../db/personal-data';

/**
 * Tables of a schema whose service makes exports: exports, their parts, links to their files,
 * and the parts' content where EXPORTS_URL names no store. They are never edited: a change is a migration.
 */
export const CREATE_EXPORTS = `
  CREATE TABLE exports (
    id            uuid PRIMARY KEY DEFAULT uuidv7(),
    kind          text NOT NULL,
    format        text NOT NULL CHECK (format IN ('csv', 'jsonl')),
    -- Rows of this time or later, and from before that one.
    from_at       timestamptz NOT NULL,
    to_at         timestamptz NOT NULL,
    -- Null is all wholesalers.
    wholesaler_id uuid,
    status        text NOT NULL DEFAULT 'waiting'
                  CHECK (status IN ('waiting', 'running', 'ready', 'failed', 'expired')),
    requested_by  text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- When the key and the files are deleted.
    expires_at    timestamptz NOT NULL,
    -- Seals the parts. Null once it is deleted: then nothing can open them, wherever a copy is.
    key           bytea,
    row_count     bigint NOT NULL DEFAULT 0,
    byte_count    bigint NOT NULL DEFAULT 0,
    -- Of the whole file.
    sha256        bytea,
    -- Of the process that writes the next part, and since when nobody has written one.
    lease_id      uuid,
    leased_until  timestamptz,
    progressed_at timestamptz NOT NULL DEFAULT now(),
    -- Since the last part.
    attempts      integer NOT NULL DEFAULT 0,
    CHECK (from_at < to_at),
    CHECK ((status = 'ready') <= (sha256 IS NOT NULL AND key IS NOT NULL)),
    CHECK ((status = 'expired') <= (key IS NULL))
  );
  CREATE INDEX exports_to_do ON exports (id) WHERE status IN ('waiting', 'running');
  CREATE INDEX exports_by_end ON exports (expires_at);
  -- At most some are unfinished at a time, which is counted with each request.
  CREATE INDEX exports_unfinished_of ON exports (requested_by) WHERE status IN ('waiting', 'running');

  CREATE TABLE export_parts (
    export_id   uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
    number      integer NOT NULL,
    -- Of the file in the store.
    storage_key text NOT NULL UNIQUE,
    byte_count  bigint NOT NULL CHECK (byte_count > 0),
    -- Before it was sealed.
    sha256      bytea NOT NULL,
    -- Where the next part begins: ids and a time of the last row. Null in a file without rows.
    last_key    jsonb,
    PRIMARY KEY (export_id, number)
  );

  CREATE TABLE export_links (
    -- SHA-256 of the token in the link.
    token_hash bytea PRIMARY KEY,
    export_id  uuid NOT NULL REFERENCES exports ON DELETE CASCADE,
    created_by text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
  );
  CREATE INDEX export_links_of_export ON export_links (export_id);

  CREATE TABLE export_files (
    key        text PRIMARY KEY,
    content    bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  -- Sealed bytes do not become smaller.
  ALTER TABLE export_files ALTER COLUMN content SET STORAGE EXTERNAL;
`;

/** Files for people, which end with sums. */
export const ADD_EXPORTS_FOR_PEOPLE = `
  ALTER TABLE exports ADD COLUMN for_people boolean NOT NULL DEFAULT false;
  -- Sums from the beginning to the end of this part. Null in other files, and of the release before.
  ALTER TABLE export_parts ADD COLUMN totals jsonb`;

/** Of a schema with CREATE_EXPORTS. */
export const EXPORT_COLUMNS: HarmlessColumns[] = [
  harmlessColumns(HARMLESS.fixed, { exports: ['kind', 'format', 'status'] }),
  harmlessColumns(HARMLESS.staff, { exports: ['requested_by'], export_links: ['created_by'] }),
  harmlessColumns(HARMLESS.secret, {
    exports: ['key', 'sha256'],
    export_parts: ['storage_key', 'sha256'],
    export_links: ['token_hash'],
    export_files: ['key'],
  }),
  harmlessColumns(HARMLESS.technical, { export_parts: ['last_key', 'totals'] }),
  harmlessColumns(
    'files that ops exports, some with names of stores and texts of payers, sealed with a key that is deleted within 72 hours',
    { export_files: ['content'] },
  ),
];
