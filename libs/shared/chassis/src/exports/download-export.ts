import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import { DOWNLOADS_PATH } from '@fiado/contracts/exports';
import { textInFormat } from '@fiado/contracts/request-dates';
import { query, queryRow } from '../db/query';
import type { Endpoint } from '../http/endpoint';
import { textParam } from '../http/request';
import { audit } from '../outbox/append';
import { hashOfToken } from './export-links';
import type { ExportsContext } from './exports';
import { openPart } from './part';
import type { StoredExportRow } from './export.entity';

const MEDIA_TYPES: Record<StoredExportRow['format'], string> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
};

interface LinkedFile extends Pick<
  StoredExportRow,
  'id' | 'kind' | 'format' | 'forPeople' | 'fromAt' | 'toAt' | 'byteCount'
> {
  key: NonNullable<StoredExportRow['key']>;
  sha256: NonNullable<StoredExportRow['sha256']>;
}

/**
 * GET /v1/downloads/{exportKind}/{token}: the file of a link. The token is the whole credential, and
 * appears in no log: lines of requests have the pattern of the route.
 */
export const downloadExportEndpoint: Endpoint<ExportsContext> = {
  method: 'get',
  path: `${DOWNLOADS_PATH}/:exportKind/:token`,
  allow: ['anonymous'],
  handler: (context) => async (req, res) => {
    const token = textParam(req, 'token');
    const file = await findLinkedFile(context, { kind: textParam(req, 'exportKind'), token });
    if (file === undefined) throw new AppError('EXPORT_NOT_FOUND');
    const range = answerHead(req, res, { file, name: nameOf(file, context) });
    if (range === undefined || req.method === 'HEAD') {
      res.end();
      return;
    }
    await recordFirstUse(context, file, token);
    await pipeline(Readable.from(readFile(context, file, range), { objectMode: false }), res);
  },
};

async function findLinkedFile(
  { db }: ExportsContext,
  { kind, token }: { kind: string; token: string },
): Promise<LinkedFile | undefined> {
  return queryRow<LinkedFile>(
    db,
    `SELECT e.id, e.kind, e.format, e.for_people, e.from_at, e.to_at, e.key, e.byte_count, e.sha256
       FROM export_links l JOIN exports e ON e.id = l.export_id
      WHERE l.token_hash = $1 AND l.expires_at > now()
        AND e.kind = $2 AND e.status = 'ready' AND e.expires_at > now()`,
    [hashOfToken(token), kind],
  );
}

/** Such as orders-2026-11-16-2026-11-23.csv; for people with the last day, pedidos-2026-11-16-a-2026-11-22.csv. */
function nameOf(
  { kind, format, forPeople, fromAt, toAt }: LinkedFile,
  { exportSources, config: { TIME_ZONE } }: ExportsContext,
): string {
  const dayOf = (at: Date): string => textInFormat(at, 'yyyy-MM-dd', TIME_ZONE);
  if (!forPeople) return `${kind}-${dayOf(fromAt)}-${dayOf(toAt)}.${format}`;
  const name = exportSources[kind]?.people.name ?? kind;
  return `${name}-${dayOf(fromAt)}-a-${dayOf(new Date(toAt.getTime() - 1))}.csv`;
}

interface ByteRange {
  /** The first byte, and the one behind the last. */
  start: number;
  end: number;
}

/**
 * Sets status and headers.
 * @returns the bytes to send; undefined where none follow: the caller has the file, or its range is
 *   outside of it
 */
function answerHead(
  req: Request,
  res: Response,
  { file, name }: { file: LinkedFile; name: string },
): ByteRange | undefined {
  const { format, byteCount, sha256 } = file;
  const etag = `"${sha256.toString('hex')}"`;
  res.set({
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}"`,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Referrer-Policy': 'no-referrer',
  });
  if (req.get('If-None-Match')?.includes(etag) === true) {
    res.status(304);
    return undefined;
  }
  const isSame = [undefined, etag].includes(req.get('If-Range'));
  const asked = isSame ? req.range(byteCount) : undefined;
  if (asked === -1) {
    res.status(416).set('Content-Range', `bytes */${byteCount}`);
    return undefined;
  }
  // Several ranges, or another unit, are answered with the whole file (RFC 9110, 14.2).
  const [only] = Array.isArray(asked) && asked.type === 'bytes' && asked.length === 1 ? asked : [];
  const range =
    only === undefined ? { start: 0, end: byteCount } : { start: only.start, end: only.end + 1 };
  if (only !== undefined) {
    res.status(206).set('Content-Range', `bytes ${only.start}-${only.end}/${byteCount}`);
  }
  res.set('Content-Length', String(range.end - range.start));
  return range;
}

/** The bytes of a file, a part at a time. */
async function* readFile(
  { db, exportFiles }: ExportsContext,
  { id: exportId, key: secret }: LinkedFile,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  const parts = await query<{ number: number; storageKey: string; byteCount: number }>(
    db,
    'SELECT number, storage_key, byte_count FROM export_parts WHERE export_id = $1 ORDER BY number',
    [exportId],
  );
  let at = 0;
  for (const { number, storageKey, byteCount } of parts) {
    const [first, behind] = [Math.max(start - at, 0), Math.min(end - at, byteCount)];
    at += byteCount;
    if (first >= behind) continue;
    const sealed = await exportFiles.get(storageKey);
    yield openPart(sealed, { secret, exportId, number }).subarray(first, behind);
  }
}

/** Once for a link: a download in ranges is one. The person who made the link answers for it. */
async function recordFirstUse(
  { db }: ExportsContext,
  { id, kind }: LinkedFile,
  token: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const link = await queryRow<{ createdBy: string }>(
      tx,
      `UPDATE export_links SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL
       RETURNING created_by`,
      [hashOfToken(token)],
    );
    if (link === undefined) return;
    const by: Caller = { kind: 'ops', id: link.createdBy, name: '', scopes: [] };
    await audit(tx, by, { action: 'export.downloaded', objectId: id, details: { kind } });
  });
}
