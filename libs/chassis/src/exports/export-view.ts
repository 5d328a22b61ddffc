import { EXPORT_FORMATS, EXPORT_KINDS, EXPORT_STATUSES } from '@fiado/contracts/exports';
import * as t from '../openapi/json-schema';
import type { StoredExport } from './exports';

export const exportAnswer = t.object('Export', {
  exportId: t.uuid,
  exportKind: t.oneOf(EXPORT_KINDS),
  format: t.oneOf(EXPORT_FORMATS),
  from: t.timestamp,
  to: t.timestamp,
  wholesalerId: t.nullable(t.uuid),
  status: t.oneOf(EXPORT_STATUSES),
  requestedBy: t.text,
  createdAt: t.timestamp,
  expiresAt: t.timestamp,
  rows: t.count,
  bytes: t.count,
  sha256: t.nullable(t.text),
});

export const exampleExport: t.AnswerOf<typeof exportAnswer> = {
  exportId: '0199f2b4-3c1e-7f8b-9a6d-5e2c7f801b34',
  exportKind: 'orders',
  format: 'csv',
  from: '2026-11-16T06:00:00.000Z',
  to: '2026-11-23T06:00:00.000Z',
  wholesalerId: null,
  status: 'ready',
  requestedBy: 'ops',
  createdAt: '2026-11-23T16:05:00.000Z',
  expiresAt: '2026-11-26T16:05:00.000Z',
  rows: 4_711,
  bytes: 1_034_201,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

export function presentExport(stored: StoredExport): t.AnswerOf<typeof exportAnswer> {
  return t.presentRow(exportAnswer, stored, {
    exportId: stored.id,
    exportKind: stored.kind,
    from: stored.fromAt.toISOString(),
    to: stored.toAt.toISOString(),
    rows: stored.rowCount,
    bytes: stored.byteCount,
    sha256: stored.sha256?.toString('hex') ?? null,
  });
}
