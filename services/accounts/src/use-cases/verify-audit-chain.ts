import type { Transaction } from '@fiado/chassis/db/database';
import type { Anchor } from '../clients/audit-anchors';
import type { Context } from '../context';
import { chainHead, findEntries, findLinks, findLostEntry } from '../db/audit-chain.repository';
import { CHAIN_START, checkLinks, type ChainBreak, type ChainPoint } from '../domain/audit-chain';

/** Links or entries that one page checks: some 50 ms. */
const PAGE_SIZE = 1_000;

/** Where a check goes on: first through the links, then through the entries of the log. */
export type CheckCursor = { part: 'links'; point: ChainPoint } | { part: 'entries'; after: string };

export const CHECK_START: CheckCursor = { part: 'links', point: CHAIN_START };
/** Below every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export interface CheckedPage {
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
 * against the anchors; then each entry of the log, whether the chain has it.
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
  const links = await findLinks(tx, from.position, limit);
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
  const entries = await findEntries(tx, after, PAGE_SIZE);
  const checked = entries.length;
  const unknown = entries.find(({ isKnown }) => !isKnown);
  if (unknown !== undefined) {
    const description = 'The entry is in the audit log and not in its chain';
    const { id: entryId } = unknown;
    return { checked, broken: { kind: 'inserted', position: null, entryId, description } };
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

/** What is wrong at the end of the links. */
async function endBreak(tx: Transaction, end: ChainPoint): Promise<ChainBreak | undefined> {
  const head = await chainHead(tx);
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
