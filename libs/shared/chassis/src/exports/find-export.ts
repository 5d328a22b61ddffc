import { AppError } from '@fiado/contracts/errors';
import type { ExportKind } from '@fiado/contracts/exports';
import { PageQuery } from '@fiado/contracts/page';
import type { Db } from '../db/database';
import { pageOfRows } from '../db/page-of-rows';
import { queryRow } from '../db/query';
import { endpoint } from '../http/endpoint';
import { listEndpoint } from '../http/list-endpoint';
import * as t from '../openapi/json-schema';
import { exampleExport, exportAnswer, presentExport } from './export-view';
import {
  EXPORT_COLUMN_NAMES,
  type ExportsContext,
  type ExportSource,
  type StoredExport,
} from './exports';

/** @throws AppError EXPORT_NOT_FOUND for a kind that this service does not have */
export function requireSource(
  { exportSources }: ExportsContext,
  text: string,
): { kind: ExportKind; source: ExportSource } {
  const [kind, source] = Object.entries(exportSources).find(([name]) => name === text) ?? [];
  if (source === undefined) throw new AppError('EXPORT_NOT_FOUND');
  return { kind: kind as ExportKind, source };
}

/** @throws AppError EXPORT_NOT_FOUND also for an export of another kind, and for a kind that nobody has */
export async function requireExport(
  db: Db,
  { kind, exportId }: { kind: string; exportId: string },
): Promise<StoredExport> {
  // Not by the entity, which would read the key of the files too.
  const stored = await queryRow<StoredExport>(
    db,
    `SELECT ${EXPORT_COLUMN_NAMES} FROM exports WHERE id = $1 AND kind = $2`,
    [exportId, kind],
  );
  if (stored === undefined) throw new AppError('EXPORT_NOT_FOUND');
  return stored;
}

export const getExportEndpoint = endpoint({
  id: 'getExport',
  as: 'exports.get',
  tag: 'Ops: exports',
  route: 'GET /v1/admin/exports/:exportKind/:exportId',
  scope: 'operator',
  summary: 'Get an export',
  errors: ['EXPORT_NOT_FOUND'],
  answer: exportAnswer,
  example: exampleExport,
  input: ({ text, id }) => ({
    kind: text('exportKind'),
    exportId: id('exportId', 'EXPORT_NOT_FOUND'),
  }),
  handle: ({ db }: ExportsContext, input) => requireExport(db, input),
  present: presentExport,
});

export const listExportsEndpoint = listEndpoint({
  id: 'listExports',
  as: 'exports.list',
  columns: ['exportId', 'status', 'from', 'to', 'format', 'rows', 'bytes', 'createdAt'],
  tag: 'Ops: exports',
  route: 'GET /v1/admin/exports/:exportKind',
  scope: 'operator',
  summary: 'List the exports of a kind, newest first',
  query: PageQuery,
  errors: ['EXPORT_NOT_FOUND'],
  page: 'ExportPage',
  items: { exports: t.field(exportAnswer, 'Exports, newest first') },
  example: exampleExport,
  input: ({ text, query: { ...asked } }, context: ExportsContext) => ({
    ...asked,
    kind: requireSource(context, text('exportKind')).kind,
  }),
  find: ({ db }: ExportsContext, { kind, ...asked }) =>
    pageOfRows<StoredExport>(db, asked, {
      select: `SELECT ${EXPORT_COLUMN_NAMES} FROM exports`,
      from: 'exports',
      of: { kind },
    }),
  present: presentExport,
});
