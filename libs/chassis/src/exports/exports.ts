import type { Clock } from '@fiado/contracts/clock';
import type { ExportFormat, ExportKind, ExportStatus } from '@fiado/contracts/exports';
import type { Database, Db } from '../db/database';
import { createDatabaseDocumentStore } from '../documents/database-document-store';
import type { DocumentStore } from '../documents/document-store';
import { openS3DocumentStore } from '../documents/s3-document-store';
import type { Logger } from '../logger';
import type { Loop } from '../loop';
import type { Timing } from '../timing';

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

export type ExportValue = string | number | boolean | Date | null;

/** Amounts are numbers of pesos, times are dates. */
export type ExportRow = Record<string, ExportValue>;

export interface ExportPage {
  rows: ExportRow[];
  /** Of the last row. */
  last: ExportKey;
}

/** Rows of one kind of export, as its service knows them. */
export interface ExportSource {
  /** Names of the fields, in the order of the file. */
  columns: readonly string[];
  /** Its rows belong to no wholesaler, so that it cannot be limited to one. */
  ofNoWholesaler?: true;
  /**
   * Reads the rows after a key in pages, always in the same order. Each page is a statement of its own:
   * no cursor stays open, and a row is as of its page.
   * @param limit rows of a page, at most
   */
  pages(
    db: Db,
    range: ExportRange,
    options: { after: ExportKey | undefined; limit: number },
  ): AsyncGenerator<ExportPage>;
}

type ExportSources = Partial<Record<ExportKind, ExportSource>>;

/** What a service brings to its exports. */
export interface ExportParts {
  /** By kind; another kind does not exist in this service. */
  exportSources: ExportSources;
  /** Holds the sealed parts. */
  exportFiles: DocumentStore;
}

/** What exports work with; a part of the context of a service. */
export interface ExportsContext extends ExportParts {
  db: Database;
  clock: Clock;
  log: Logger;
  relay: Loop;
  config: { PUBLIC_URL: string; TIME_ZONE: string };
}

/** An export as its table has it, without its key. */
export interface StoredExport {
  id: string;
  kind: ExportKind;
  format: ExportFormat;
  fromAt: Date;
  toAt: Date;
  wholesalerId: string | null;
  status: ExportStatus;
  requestedBy: string;
  createdAt: Date;
  expiresAt: Date;
  rowCount: number;
  byteCount: number;
  sha256: Buffer | null;
}

export const EXPORT_COLUMN_NAMES = `id, kind, format, from_at, to_at, wholesaler_id, status, requested_by,
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
