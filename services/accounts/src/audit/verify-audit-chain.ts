import { IsOptional, IsString, isUUID } from '@fiado/contracts/class-validator';
import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsIntegerText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { Anchor } from './audit-anchors';
import {
  BREAK_KINDS,
  CHAIN_START,
  type ChainBreak,
  type ChainPoint,
  checkLinks,
  type StoredLink,
} from './audit-chain';
import { CONTENT } from './chain-audit-log';

class VerifyAuditChainQuery {
  /** The nextCursor of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;

  @About('Position at which the page ends at the latest', 500)
  @IsOptional()
  @IsIntegerText(1, Number.MAX_SAFE_INTEGER)
  until?: number;
}

export const verifyAuditChainEndpoint = endpoint({
  id: 'verifyAuditChain',
  as: 'auditEntries.verify',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/audit/verify',
  scope: 'viewer',
  summary: 'Check a page of the audit chain',
  description:
    'First the links of the chain in their order, each against the one before it, against its entry and ' +
    'against the anchors; then each entry of the log, whether the chain has it and, where it has the hash of a ' +
    'report of an erasure, whether the report still has that hash. It ends at the first `break`, or with ' +
    '`nextCursor` null.',
  query: VerifyAuditChainQuery,
  answer: t.object('AuditChainPage', {
    checked: t.field(t.count, 'Links or entries that this page has checked', 1000),
    position: t.field(
      t.nullable(t.count),
      'Position of the last link that is in order; null in pages of entries',
      1000,
    ),
    hash: t.textOrNull(
      'Hash of that link: SHA-256 in hex, over the hash before, the position and the entry',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    break: t.field(
      t.nullable(
        t.object('AuditChainBreak', {
          kind: t.field(t.oneOf(BREAK_KINDS), 'What was done to the log'),
          position: t.field(
            t.nullable(t.count),
            'Position of the break in the chain; null outside the chain',
            718,
          ),
          auditEntryId: t.idOrNull('Id of the entry', 'c7d4f0a2-3c1e-4f8b-9a6d-5e2c7f801b34'),
          description: t.field(
            t.text,
            'Explains the break to a person; may change',
            'The entry differs from what was chained',
          ),
        }),
      ),
      'The first break; null while there is none',
    ),
    nextCursor: t.nullable(fields.nextCursor),
  }),
  example: {
    nextCursor: 'MTAwMC45Zjg2ZDA4MTg4NGM3ZDY1OWEyZmVhYTBjNTVhZDAxNWEzYmY0ZjFiMmIwYjgyMmNkMTVkNmMx',
  },
  input: ({ query: { cursor, until } }) => ({
    cursor: cursor === undefined ? CHECK_START : readCursor(cursor),
    until,
  }),
  handle: (context: Context, input) => verifyAuditChain(context, input),
  present: ({ checked, point, broken, next }) => ({
    checked,
    position: point?.position ?? null,
    hash: point?.hash.toString('hex') ?? null,
    break:
      broken === undefined
        ? null
        : {
            kind: broken.kind,
            position: broken.position,
            auditEntryId: broken.entryId,
            description: broken.description,
          },
    nextCursor: next === undefined ? null : writeCursor(next),
  }),
});

/** Links or entries that one page checks: some 50 ms. */
const PAGE_SIZE = 1_000;

/** The position of a check: first in the links, then in the entries of the log. */
export type CheckCursor = { part: 'links'; point: ChainPoint } | { part: 'entries'; after: string };

export const CHECK_START: CheckCursor = { part: 'links', point: CHAIN_START };

/** Below every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface CheckedPage {
  /** Links or entries of this page. */
  checked: number;
  /** Up to where the links are in order; undefined in pages of entries. */
  point?: ChainPoint;
  broken?: ChainBreak;
  /** Undefined at the end. */
  next?: CheckCursor;
}

/**
 * Checks a page of the audit chain: each link against the link before it, against its entry and
 * against the anchors; then each entry of the log, whether the chain has it, and the report whose hash it has.
 * @param until a position at which the page ends, to compare its hash with an anchor kept elsewhere
 */
export async function verifyAuditChain(
  { db, auditAnchors }: Pick<Context, 'db' | 'auditAnchors'>,
  { cursor, until }: { cursor: CheckCursor; until: number | undefined },
): Promise<CheckedPage> {
  // Before the links: the chain has grown past each of these.
  const anchors = await auditAnchors.list();
  // The end of the links and the head belong together.
  return db.snapshot((tx) =>
    cursor.part === 'links'
      ? checkPageOfLinks(tx, { from: cursor.point, until, anchors })
      : checkPageOfEntries(tx, cursor.after),
  );
}

async function checkPageOfLinks(
  tx: Transaction,
  { from, until, anchors }: { from: ChainPoint; until: number | undefined; anchors: Anchor[] },
): Promise<CheckedPage> {
  const left = until === undefined ? PAGE_SIZE : Math.max(0, until - from.position);
  const limit = Math.min(PAGE_SIZE, left);
  // Links after a position, with the entries that they name.
  const links = await query<StoredLink>(
    tx,
    `SELECT l.position, l.entry_id, l.content, l.hash,
            CASE WHEN a.id IS NOT NULL THEN ${CONTENT} END AS entry
       FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) l
       LEFT JOIN audit_log a ON a.id = l.entry_id
      ORDER BY l.position`,
    [from.position, limit],
  );
  const { end: point, broken } = checkLinks(from, links);
  const checked = point.position - from.position;
  const page = { checked, point };

  const brokenAnchor =
    anchors.find(({ signature }) => signature === 'not-valid') === undefined
      ? anchorBreak([from, ...links], anchors)
      : ANCHOR_NOT_VALID;
  const first = broken ?? brokenAnchor;
  if (first !== undefined) return { ...page, broken: first };
  if (links.length === limit) return { ...page, next: { part: 'links', point } };

  const atEnd = (await endBreak(tx, point)) ?? anchorBehindEnd(point, anchors);
  if (atEnd !== undefined) return { ...page, broken: atEnd };
  return { ...page, next: { part: 'entries', after: FIRST_ID } };
}

async function checkPageOfEntries(tx: Transaction, after: string): Promise<CheckedPage> {
  // A page of entries of the log after an id, with whether each is chained or waits for it.
  const entries = await query<{ id: string; isKnown: boolean; changedReport: string | null }>(
    tx,
    `SELECT a.id, EXISTS (SELECT FROM audit_chain l WHERE l.entry_id = a.id)
               OR EXISTS (SELECT FROM audit_unchained w WHERE w.entry_id = a.id) AS "isKnown",
            CASE WHEN a.action IN ('person.blocked', 'person.erased') AND NOT EXISTS (
                   SELECT FROM erasures e
                    WHERE e.id = (a.details ->> 'erasureId')::uuid
                      AND encode(sha256(convert_to(e.report, 'UTF8')), 'hex') = a.details ->> 'sha256')
                 THEN a.details ->> 'erasureId' END AS "changedReport"
       FROM (SELECT id, action, details FROM audit_log WHERE id > $1 ORDER BY id LIMIT $2) a
      ORDER BY a.id`,
    [after, PAGE_SIZE],
  );
  const checked = entries.length;
  const unknown = entries.find(({ isKnown }) => !isKnown);
  if (unknown !== undefined) {
    const description = 'The entry is in the audit log and not in its chain';
    const { id: entryId } = unknown;
    return { checked, broken: { kind: 'inserted', position: null, entryId, description } };
  }
  const changed = entries.find(({ changedReport }) => changedReport !== null);
  if (changed !== undefined) {
    const description = `The report of the erasure ${changed.changedReport} is not the one whose hash the entry has`;
    return {
      checked,
      broken: { kind: 'changed', position: null, entryId: changed.id, description },
    };
  }
  const last = entries.at(-1);
  if (last === undefined || checked < PAGE_SIZE) return { checked };
  return { checked, next: { part: 'entries', after: last.id } };
}

const ANCHOR_NOT_VALID: ChainBreak = {
  kind: 'anchor-not-valid',
  position: null,
  entryId: null,
  description: 'A line in the file of anchors is damaged, or not signed by this service',
};

function anchorBreak(points: ChainPoint[], anchors: Anchor[]): ChainBreak | undefined {
  const hashes = new Map(points.map(({ position, hash }) => [position, hash.toString('hex')]));
  const differs = anchors.find(({ position, hash }) => (hashes.get(position) ?? hash) !== hash);
  return differs === undefined
    ? undefined
    : {
        kind: 'rewound',
        position: differs.position,
        entryId: null,
        description: `The chain up to here is not the one that was anchored at ${differs.anchoredAt}`,
      };
}

/** The fault at the end of the links, if there is one. */
async function endBreak(tx: Transaction, end: ChainPoint): Promise<ChainBreak | undefined> {
  const head = await queryOne<ChainPoint>(tx, 'SELECT position, hash FROM audit_chain_head');
  if (head.position > end.position) {
    const description = `The head is at ${head.position}, the links end before it`;
    return { kind: 'deleted', position: end.position + 1, entryId: null, description };
  }
  if (head.position < end.position || !head.hash.equals(end.hash)) {
    const description = 'The head is not the last link';
    return { kind: 'rewound', position: head.position, entryId: null, description };
  }
  const entryId = await findLostEntry(tx);
  if (entryId !== undefined) {
    const description = 'The entry was deleted before it was chained';
    return { kind: 'deleted', position: null, entryId, description };
  }
  return undefined;
}

/** An entry that waits for the chain although the log has it no more. */
async function findLostEntry(db: Db): Promise<string | undefined> {
  const lost = await queryRow<{ entryId: string }>(
    db,
    `SELECT entry_id FROM audit_unchained w
      WHERE NOT EXISTS (SELECT FROM audit_log a WHERE a.id = w.entry_id)
      ORDER BY seq LIMIT 1`,
  );
  return lost?.entryId;
}

function anchorBehindEnd(end: ChainPoint, anchors: Anchor[]): ChainBreak | undefined {
  const cut = anchors.find(({ position }) => position > end.position);
  return cut === undefined
    ? undefined
    : {
        kind: 'rewound',
        position: end.position,
        entryId: null,
        description: `The chain ends before position ${cut.position}, which was anchored at ${cut.anchoredAt}`,
      };
}

/** The caller brings the hash back, so that no page trusts a row that an earlier page has checked. */
function writeCursor(cursor: CheckCursor): string {
  const text =
    cursor.part === 'links'
      ? `${cursor.point.position}.${cursor.point.hash.toString('hex')}`
      : cursor.after;
  return Buffer.from(text).toString('base64url');
}

function readCursor(cursor: string): CheckCursor {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (isUUID(text)) return { part: 'entries', after: text };
  const [, position, hash] = /^(\d{1,15})\.([\da-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined) {
    throw new ValidationError(['cursor must be the nextCursor of a page']);
  }
  return { part: 'links', point: { position: Number(position), hash: Buffer.from(hash, 'hex') } };
}
