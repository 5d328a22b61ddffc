import type { Resources } from '@fiado/ops-client/generated/resources';
import type { AnswerOf } from '@fiado/ops-client/operations';
import type { KeptAnchor } from './read-anchors';

type ChainBreak = NonNullable<AnswerOf<'verifyAuditChain'>['break']>;

export interface CheckedChain {
  /** Entries that are in order. */
  links: number;
  /** Anchors of the file that the chain agrees with. */
  anchors: number;
  /** The first break, by its position. */
  broken: ChainBreak | undefined;
}

/**
 * Reads the whole audit chain, page by page, and compares it with kept anchors, by their position:
 * whoever rewrites a chain with all its hashes cannot change copies that are kept elsewhere.
 */
export async function verifyAuditChain(
  ops: Resources,
  anchors: KeptAnchor[],
): Promise<CheckedChain> {
  const checked: CheckedChain = { links: 0, anchors: 0, broken: undefined };
  let cursor: string | undefined;
  for (;;) {
    const until = anchors[checked.anchors]?.position;
    const page = await ops.auditEntries.verify({ cursor, until });
    if (page.break !== null) return { ...checked, broken: page.break };
    checked.links = page.position ?? checked.links;

    for (;;) {
      const anchor = anchors[checked.anchors];
      if (anchor === undefined || anchor.position > checked.links) break;
      if (anchor.hash !== page.hash) {
        return { ...checked, broken: differs(anchor, anchors[checked.anchors - 1]) };
      }
      checked.anchors += 1;
    }
    // Pages of entries follow those of links.
    const cut = page.position === null ? anchors[checked.anchors] : undefined;
    if (cut !== undefined) return { ...checked, broken: endsBefore(cut, checked.links) };
    if (page.nextCursor === null) return checked;
    cursor = page.nextCursor;
  }
}

function differs(anchor: KeptAnchor, before: KeptAnchor | undefined): ChainBreak {
  const from = (before?.position ?? 0) + 1;
  return {
    kind: 'rewound',
    position: from,
    auditEntryId: null,
    description:
      `Between position ${from} and ${anchor.position} the chain is not the one that was anchored at ` +
      anchor.anchoredAt,
  };
}

function endsBefore(anchor: KeptAnchor, end: number): ChainBreak {
  return {
    kind: 'rewound',
    position: end,
    auditEntryId: null,
    description: `The chain ends before position ${anchor.position}, which was anchored at ${anchor.anchoredAt}`,
  };
}
