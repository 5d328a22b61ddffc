import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { DOWNLOADS_PATH, type ExportKind } from '@fiado/contracts/exports';
import type { Db } from '../db/database';
import { query, queryOne } from '../db/query';
import { endpoint } from '../http/endpoint';
import * as fields from '../openapi/fields';
import * as t from '../openapi/json-schema';
import { audit } from '../outbox/append';
import type { ExportsContext } from './exports';
import { requireExport, requireSource } from './find-export';

/** Long enough to begin a download, and to continue one that was cut. */
const LINK_MINUTES = 15;

const TOKEN_BYTES = 32;

/** The stored form of a token: access to the database does not allow a download. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

interface NamedExport {
  kind: ExportKind;
  exportId: string;
  by: Caller;
}

export const linkExportEndpoint = endpoint({
  id: 'linkExport',
  as: 'exports.link',
  once: true,
  tag: 'Ops: exports',
  route: 'POST /v1/admin/exports/:exportKind/:exportId/link',
  scope: 'operator',
  summary: 'Make a link to the file of an export',
  description:
    'Whoever has the link downloads the file, for 15 minutes and without a credential. The answer has an ' +
    '`ETag`, and takes `Range` with `If-Range`.',
  status: 201,
  errors: ['EXPORT_NOT_FOUND', 'EXPORT_NOT_READY'],
  answer: t.object('ExportLink', {
    url: t.field(
      t.uri,
      'Address of the file; whoever has it can read the file until `expiresAt`',
      'https://fiado.example.com/v1/downloads/orders/4Jm2yGv8mQ0bT7c1c0Qm3w9mJ0o0bJ8m2yGv8mQ0bT7',
    ),
    expiresAt: fields.expiresAt,
  }),
  example: { expiresAt: '2026-11-23T16:20:00.000Z' },
  input: ({ text, id, caller }, context: ExportsContext): NamedExport => ({
    kind: requireSource(context, text('exportKind')).kind,
    exportId: id('exportId', 'EXPORT_NOT_FOUND'),
    by: caller,
  }),
  handle: linkExport,
  present: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
});

/** @throws AppError EXPORT_NOT_FOUND, EXPORT_NOT_READY while there is no file, or no longer */
async function linkExport({ db, config }: ExportsContext, { by, ...named }: NamedExport) {
  const { kind, exportId } = named;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { expiresAt } = await db.transaction(async (tx) => {
    const { status } = await requireExport(tx, named);
    if (status !== 'ready') throw new AppError('EXPORT_NOT_READY');
    const link = await queryOne<{ expiresAt: Date }>(
      tx,
      `INSERT INTO export_links (token_hash, export_id, created_by, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(mins => $4)) RETURNING expires_at`,
      [hashOfToken(token), exportId, by.id, LINK_MINUTES],
    );
    const details = { kind, expiresAt: link.expiresAt };
    await audit(tx, by, { action: 'export.linked', objectId: exportId, details });
    return link;
  });
  const base = config.PUBLIC_URL.replace(/\/+$/, '');
  return { url: `${base}${DOWNLOADS_PATH}/${kind}/${token}`, expiresAt };
}

export const unlinkExportEndpoint = endpoint({
  id: 'unlinkExport',
  as: 'exports.unlink',
  tag: 'Ops: exports',
  route: 'DELETE /v1/admin/exports/:exportKind/:exportId/link',
  scope: 'operator',
  summary: 'Revoke all links to the file of an export',
  errors: ['EXPORT_NOT_FOUND'],
  answer: t.noContent,
  input: ({ text, id, caller }, context: ExportsContext): NamedExport => ({
    kind: requireSource(context, text('exportKind')).kind,
    exportId: id('exportId', 'EXPORT_NOT_FOUND'),
    by: caller,
  }),
  handle: unlinkExport,
  present: () => undefined,
});

/** Ends the links that a person or a key made, who may not read exports any more. Repeating it changes nothing. */
export async function endLinksOf(db: Db, actorId: string): Promise<void> {
  await query(db, 'DELETE FROM export_links WHERE created_by = $1', [actorId]);
}

async function unlinkExport({ db }: ExportsContext, { by, ...named }: NamedExport): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, kind } = await requireExport(tx, named);
    const links = await query(tx, 'DELETE FROM export_links WHERE export_id = $1 RETURNING 1', [
      id,
    ]);
    const details = { kind, links: links.length };
    await audit(tx, by, { action: 'export.unlinked', objectId: id, details });
  });
}
