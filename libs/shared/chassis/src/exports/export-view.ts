import { EXPORT_FORMATS, EXPORT_KINDS, EXPORT_STATUSES } from '@fiado/contracts/exports';
import * as fields from '../openapi/fields';
import * as t from '../openapi/json-schema';
import type { StoredExport } from './exports';

export const exportAnswer = t.object('Export', {
  exportId: fields.exportId,
  exportKind: t.field(t.oneOf(EXPORT_KINDS), 'What is exported'),
  format: t.field(
    t.oneOf(EXPORT_FORMATS),
    'Format of the file: `jsonl` has a JSON object in each line, `people` is a CSV in Spanish for a spreadsheet',
  ),
  from: t.time('Rows of this time or later', '2026-11-16T06:00:00.000Z'),
  to: t.time('Rows from before this time', '2026-11-23T06:00:00.000Z'),
  wholesalerId: t.nullable(fields.wholesalerId),
  status: t.field(t.oneOf(EXPORT_STATUSES), 'How far it is; the file of an expired one is deleted'),
  requestedBy: t.field(t.text, 'Id of the person or the key that requested it', 'ops'),
  createdAt: fields.createdAt,
  expiresAt: t.time('Time at which the file is deleted', '2026-11-26T16:05:00.000Z'),
  rows: t.field(t.count, 'Rows that are in the file so far', 4711),
  bytes: t.field(t.count, 'Length of the file so far', 1_034_201),
  sha256: t.textOrNull(
    'SHA-256 of the file; null until it is ready',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
});

export const exampleExport: t.ExampleOf<typeof exportAnswer> = {
  wholesalerId: null,
  status: 'ready',
  createdAt: '2026-11-23T16:05:00.000Z',
};

export function presentExport(stored: StoredExport): t.AnswerOf<typeof exportAnswer> {
  return t.presentRow(exportAnswer, stored, {
    exportId: stored.id,
    exportKind: stored.kind,
    format: stored.forPeople ? 'people' : stored.format,
    from: stored.fromAt.toISOString(),
    to: stored.toAt.toISOString(),
    rows: stored.rowCount,
    bytes: stored.byteCount,
    sha256: stored.sha256?.toString('hex') ?? null,
  });
}
