import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

const HASH_BYTES = 32;

/** How far a chain is known: the position and the hash of its last link. */
export interface ChainPoint {
  position: number;
  hash: Buffer;
}

/** Where every chain begins: before its first link. */
export const CHAIN_START: ChainPoint = { position: 0, hash: Buffer.alloc(HASH_BYTES) };

/** A link, and the entry of the audit log that it names, as both are stored now. */
export interface StoredLink extends ChainPoint {
  entryId: string;
  /** The entry as it was chained. */
  content: string;
  /** The entry as it is now; null when it is no longer in the log. */
  entry: string | null;
}

/** The ways in which a chain can be broken. */
export const BREAK_KINDS = [
  'changed',
  'deleted',
  'inserted',
  'reordered',
  'rewound',
  'anchor-not-valid',
] as const;

/** The first place where a chain is broken. */
export interface ChainBreak {
  kind: (typeof BREAK_KINDS)[number];
  /** Null for an entry that is outside the chain. */
  position: number | null;
  /** Id of the audit entry; null where no entry is concerned. */
  entryId: string | null;
  description: string;
}

/** Hash of a link: covers all links before it, its position and its content. */
export function linkHash(before: Buffer, position: number, content: string): Buffer {
  return createHash('sha256').update(before).update(`${position}\n${content}`).digest();
}

/**
 * Checks links that follow a point of a chain.
 * @param links in the order of their positions
 * @returns the first break, or the point that the links lead to
 */
export function checkLinks(
  from: ChainPoint,
  links: StoredLink[],
): { end: ChainPoint; broken?: ChainBreak } {
  let end = from;
  for (const [index, link] of links.entries()) {
    const broken = breakAt(end, link, links.slice(index + 1));
    if (broken !== undefined) return { end, broken };
    end = { position: link.position, hash: link.hash };
  }
  return { end };
}

function breakAt(
  before: ChainPoint,
  link: StoredLink,
  following: StoredLink[],
): ChainBreak | undefined {
  const position = before.position + 1;
  const { entryId } = link;
  if (link.position !== position) {
    return { kind: 'deleted', position, entryId: null, description: 'The link is gone' };
  }
  if (!linkHash(before.hash, position, link.content).equals(link.hash)) {
    return brokenHash(before, link, following);
  }
  if (link.entry === null) {
    return { kind: 'deleted', position, entryId, description: 'The entry is not in the audit log' };
  }
  if (!isSameEntry(link.content, link.entry)) {
    const description = 'The entry differs from what was chained';
    return { kind: 'changed', position, entryId, description };
  }
  return undefined;
}

/** Finds the link that belongs here, to tell what was done to one that does not. */
function brokenHash(before: ChainPoint, link: StoredLink, following: StoredLink[]): ChainBreak {
  const position = before.position + 1;
  const belongs = following.find(({ content, hash }) => {
    const right = linkHash(before.hash, position, content);
    return right.equals(hash) || right.equals(link.hash);
  });
  const { entryId } = link;
  if (belongs === undefined) {
    const description = 'The link does not follow from the link before it';
    return { kind: 'changed', position, entryId, description };
  }
  const pushedOneOn = belongs.position === position + 1;
  const movedHere = linkHash(
    linkHash(before.hash, position, belongs.content),
    position + 1,
    link.content,
  );
  const swapped = [link.hash, belongs.hash].some((hash) => hash.equals(movedHere));
  return pushedOneOn && !swapped
    ? { kind: 'inserted', position, entryId, description: 'The link was put into the chain' }
    : {
        kind: 'reordered',
        position,
        entryId,
        description: `The link now at position ${belongs.position} belongs here`,
      };
}

/** Versions of PostgreSQL may write the same jsonb differently, so a different text is parsed. */
function isSameEntry(content: string, entry: string): boolean {
  return content === entry || isDeepStrictEqual(JSON.parse(content), JSON.parse(entry));
}
