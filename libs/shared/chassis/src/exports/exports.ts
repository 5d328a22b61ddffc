import type { Clock } from '@fiado/contracts/clock';
import type { ExportKind } from '@fiado/contracts/exports';
import type { Database, Db } from '../db/database';
import { type DocumentStore, newDocumentKey } from '../documents/document-store';
import { openS3DocumentStore } from '../documents/s3-document-store';
import type { Logger } from '../logger';
import type { Loop } from '../loop';
import type { Timing } from '../timing';
import { query, queryRow } from '../db/query';
import type { InternalClient } from '../clients/internal-client';
import type { StoredExportRow } from './export.entity';
import type { ExportRow } from './part';
import type { PeopleFile } from './people-file';

/** Which rows an export has. */
export interface ExportRange {
  /** Created at or after. */
  from: Date;
  /** Created before. */
  to: Date;
  /** Undefined: of all wholesalers. */
  wholesalerId: string | undefined;
}

/** The last row that was read: texts and numbers, so that it survives JSON. */
export type ExportKey = Record<string, string | number>;

export interface ExportPage {
  rows: ExportRow[];
  /** Key of the last row. */
  last: ExportKey;
}

export interface PageOptions {
  after: ExportKey | undefined;
  limit: number;
  forPeople: boolean;
}

/** The rows of one kind of export, provided by a service. */
export interface ExportSource {
  /** Names of the fields, in the order of the file. */
  columns: readonly string[];
  /** Its file for people, whose rows have names, too. */
  people: PeopleFile;
  /** Its rows belong to no wholesaler, so that it cannot be limited to one. */
  ofNoWholesaler?: true;
  /**
   * Reads the rows after a key in pages, always in the same order. Each page is a statement of its own:
   * no cursor stays open, and a row is as of its page.
   * @param limit rows of a page, at most
   * @param forPeople adds the fields that only a file for people has
   */
  pages(db: Db, range: ExportRange, options: PageOptions): AsyncGenerator<ExportPage>;
}

type ExportSources = Partial<Record<ExportKind, ExportSource>>;

/** The parts of a service that exports need. */
export interface ExportParts {
  /** By kind; another kind does not exist in this service. */
  exportSources: ExportSources;
  /** Holds the sealed parts. */
  exportFiles: DocumentStore;
}

/** The parts that exports work with, in the context of a service. */
export interface ExportsContext extends ExportParts {
  db: Database;
  clock: Clock;
  log: Logger;
  relay: Loop;
  /** Answers the names in files for people. */
  accounts: InternalClient;
  config: { PUBLIC_URL: string; TIME_ZONE: string };
}

/** An export, without its key and what the process that makes it notes. */
export type StoredExport = Omit<
  StoredExportRow,
  'key' | 'leaseId' | 'leasedUntil' | 'progressedAt' | 'attempts'
>;

export const EXPORT_COLUMN_NAMES = `id, kind, format, for_people, from_at, to_at, wholesaler_id, status, requested_by,
  created_at, expires_at, row_count, byte_count, sha256`;

/**
 * Where the parts of a service are: in the S3 store of EXPORTS_URL, below a folder of the service, or in
 * its schema.
 */
export function openExportFiles(
  service: string,
  {
    db,
    config: { EXPORTS_URL: url, EXPORTS_ACCESS_KEY_ID, EXPORTS_SECRET_ACCESS_KEY },
    timing,
    log,
  }: {
    db: Database;
    config: {
      EXPORTS_URL?: string;
      EXPORTS_ACCESS_KEY_ID?: string;
      EXPORTS_SECRET_ACCESS_KEY?: string;
    };
    timing: Timing;
    log: Logger;
  },
): DocumentStore {
  if (url === undefined) return createDatabaseDocumentStore(db, 'export_files');
  return openS3DocumentStore({
    url,
    // Each service sweeps files without a row of its own.
    subfolder: `${service}/`,
    accessKeyId: EXPORTS_ACCESS_KEY_ID,
    secretAccessKey: EXPORTS_SECRET_ACCESS_KEY,
    timing,
    log,
  });
}

/** Keys of a page. */
const PAGE_SIZE = 1_000;

/**
 * Documents as rows of a table, for any number of instances without a store or a folder of their own.
 * @param table with the columns key, content and created_at; a name of ours, and never a caller's
 */
export function createDatabaseDocumentStore(db: Db, table: string): DocumentStore {
  return {
    async put(content) {
      const key = newDocumentKey();
      await query(db, `INSERT INTO ${table} (key, content) VALUES ($1, $2)`, [key, content]);
      return key;
    },
    async get(key) {
      const row = await queryRow<{ content: Buffer }>(
        db,
        `SELECT content FROM ${table} WHERE key = $1`,
        [key],
      );
      if (row === undefined) throw new Error('There is no document under this key');
      return row.content;
    },
    async remove(key) {
      await query(db, `DELETE FROM ${table} WHERE key = $1`, [key]);
    },
    async *listPutBefore(time) {
      let after = '';
      for (;;) {
        const rows = await query<{ key: string }>(
          db,
          `SELECT key FROM ${table} WHERE created_at < $1 AND key > $2 ORDER BY key LIMIT $3`,
          [time, after, PAGE_SIZE],
        );
        if (rows.length > 0) yield rows.map(({ key }) => key);
        if (rows.length < PAGE_SIZE) return;
        after = rows.at(-1)?.key ?? '';
      }
    },
    close: async () => {},
  };
}
