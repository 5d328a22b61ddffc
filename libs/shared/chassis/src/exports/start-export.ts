import { randomBytes } from 'node:crypto';
import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { About, DescribedAs } from '@fiado/contracts/about';
import type { Caller } from '@fiado/contracts/caller';
import { IsDateText } from '@fiado/contracts/decorators';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { EXPORT_FORMATS, type ExportFormat } from '@fiado/contracts/exports';
import { readDate } from '@fiado/contracts/request-dates';
import { query, queryOne } from '../db/query';
import { endpoint } from '../http/endpoint';
import { audit } from '../outbox/append';
import { exampleExport, exportAnswer, presentExport } from './export-view';
import {
  EXPORT_COLUMN_NAMES,
  type ExportRange,
  type ExportsContext,
  type StoredExport,
} from './exports';
import { requireSource } from './find-export';

/**
 * The rows of an export no longer appear below others, in milliseconds: a database transaction that
 * began before `to` has ended by then.
 */
const SETTLED_MS = 10 * 60_000;

/** How long a file can be downloaded, from its request. */
const KEPT_HOURS = 72;

/** Unfinished exports of one person or key in a service. */
const MAX_UNFINISHED = 2;

const KEY_BYTES = 32;

@DescribedAs(exportAnswer.properties)
class StartExportBody {
  @About('Rows of this ISO 8601 time or date, or later', '2026-11-16')
  @IsDateText()
  from: string;

  @About('Rows from before this ISO 8601 time or date', '2026-11-23')
  @IsDateText()
  to: string;

  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;
}

export const startExportEndpoint = endpoint({
  id: 'startExport',
  as: 'exports.start',
  once: true,
  tag: 'Ops: exports',
  route: 'POST /v1/admin/exports/:exportKind',
  scope: 'operator',
  summary: 'Start an export',
  description:
    'Makes a file of the rows that were created in a period, in the background; `getExport` tells how far ' +
    'it is. `from` is included, `to` is not; a date means the start of that day in the time zone of the ' +
    'lender. `to` lies ten minutes back at least. What may still change, such as a status, is as of the ' +
    'time at which its row was read. A file has ids and no name of a person, no phone and no text of a payer, except `people`: it ' +
    'is a CSV with Spanish headings, local times, names of stores and sums, and its deposits have the texts of ' +
    'their payers. ' +
    'At most two exports of one caller are made at a time. A file is deleted 72 hours after its request.',
  body: StartExportBody,
  bodyExample: { from: '2026-11-16', to: '2026-11-23', format: 'csv' },
  status: 202,
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_LIMIT_REACHED'],
  answer: exportAnswer,
  example: { ...exampleExport, status: 'waiting', rows: 0, bytes: 0, sha256: null },
  input: ({ body, text, caller }, context: ExportsContext) => {
    const { kind, source } = requireSource(context, text('exportKind'));
    const { from, to, wholesalerId, format } = body;
    const range = rangeOf({ from, to, wholesalerId }, context);
    if (source.ofNoWholesaler === true && wholesalerId !== undefined) {
      throw new ValidationError([`wholesalerId must be absent: ${kind} belong to no wholesaler`]);
    }
    return { kind, format, range, by: caller };
  },
  handle: startExport,
  present: presentExport,
});

function rangeOf(
  body: { from: string; to: string; wholesalerId: string | undefined },
  { clock, config: { TIME_ZONE } }: ExportsContext,
): ExportRange {
  const from = readDate('from', body.from, TIME_ZONE);
  const to = readDate('to', body.to, TIME_ZONE);
  if (from === undefined || to === undefined) throw new Error('The body class requires both');
  const problems = [
    ...(from < to ? [] : ['from must be before to']),
    ...(to.getTime() <= clock.now().getTime() - SETTLED_MS
      ? []
      : ['to must be at least 10 minutes ago']),
  ];
  if (problems.length > 0) throw new ValidationError(problems);
  return { from, to, wholesalerId: body.wholesalerId };
}

async function startExport(
  { db }: ExportsContext,
  {
    kind,
    format,
    range: { from, to, wholesalerId },
    by,
  }: { kind: StoredExport['kind']; format: ExportFormat; range: ExportRange; by: Caller },
): Promise<StoredExport> {
  return db.transaction(async (tx) => {
    // Two requests of one caller, one after the other: the second one counts the first.
    await query(tx, `SELECT pg_advisory_xact_lock(hashtext('exports'), hashtext($1))`, [by.id]);
    const { count } = await queryOne<{ count: number }>(
      tx,
      `SELECT count(*) AS count FROM exports
        WHERE requested_by = $1 AND status IN ('waiting', 'running')`,
      [by.id],
    );
    if (count >= MAX_UNFINISHED) throw new AppError('EXPORT_LIMIT_REACHED');
    const row = await queryOne<StoredExport>(
      tx,
      `INSERT INTO exports (kind, format, for_people, from_at, to_at, wholesaler_id, requested_by, key, expires_at)
       VALUES ($1, CASE $2 WHEN 'jsonl' THEN 'jsonl' ELSE 'csv' END, $2 = 'people', $3, $4, $5, $6, $7,
               now() + make_interval(hours => $8))
       RETURNING ${EXPORT_COLUMN_NAMES}`,
      [kind, format, from, to, wholesalerId, by.id, randomBytes(KEY_BYTES), KEPT_HOURS],
    );
    const details = { kind, format, from, to, wholesalerId };
    await audit(tx, by, { action: 'export.requested', objectId: row.id, details });
    return row;
  });
}
