import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Resources } from '@fiado/ops-client/generated/resources';
import type { AnswerOf } from '@fiado/ops-client/operations';
import type { CliCommand } from '../command';
import { CommandFailed, UsageError } from '../errors';
import { nounOf } from '../operation-commands';
import type { Io } from '../output';

/** A signed anchor (JWS, compact form), wherever it stands in a line of a log. */
const JWS = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;

const SHA256_HEX = /^[\da-f]{64}$/;

/** fiado audit verify. */
export function addAuditVerifyCommand(program: CliCommand): void {
  nounOf(program, 'audit')
    .command('verify')
    .description('check the chain of the audit log; names the first break')
    .option(
      '--anchors <file>',
      'compare with copies of the daily anchors: their lines in the log; - is stdin',
    )
    .example('fiado audit verify', 'fiado audit verify --anchors anchors.log')
    .work(async ({ ops, out, io }, { anchors: file }: { anchors?: string }) => {
      const kept = file === undefined ? [] : await readAnchors(file, io);
      const { links, anchors, broken } = await verifyAuditChain(ops, kept);
      if (broken !== undefined) {
        const { kind, position, auditEntryId, description } = broken;
        out.result(broken, () => `${kind} at ${position ?? auditEntryId}: ${description}`);
        throw new CommandFailed('the audit chain is broken');
      }
      const agreed = file === undefined ? '' : `, and agrees with ${anchors} kept anchors`;
      out.result({ links, anchors }, () => `The chain of ${links} entries holds${agreed}`);
    });
}

/** What an anchor states: the chain had this hash at this position. */
interface KeptAnchor {
  position: number;
  /** Hex. */
  hash: string;
  /** ISO 8601. */
  anchoredAt: string;
}

/**
 * Reads copies of anchors: lines of the log or of `audit-anchors/accounts.jws`. Other lines are passed
 * over. Their signatures are not checked: copies count because they were kept out of reach.
 * @param file `-` is stdin
 * @returns the anchors by their position
 * @throws UsageError for a file that cannot be read, or has no anchor
 */
async function readAnchors(file: string, { stdin }: Io): Promise<KeptAnchor[]> {
  const read = file === '-' ? text(stdin) : readFile(file, 'utf8');
  const lines = await read.catch((error: Error) => {
    throw new UsageError(`cannot read ${file}: ${error.message}`);
  });
  const anchors = lines.split('\n').flatMap((line) => anchorIn(line) ?? []);
  if (anchors.length === 0) throw new UsageError(`${file} has no anchor`);
  return anchors.toSorted((one, other) => one.position - other.position);
}

function anchorIn(line: string): KeptAnchor | undefined {
  const [, payload = ''] = JWS.exec(line)?.[0].split('.') ?? [];
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Partial<KeptAnchor>;
    const { position, hash = '', anchoredAt = '' } = claims;
    const isAnchor = Number.isSafeInteger(position) && SHA256_HEX.test(hash);
    return isAnchor ? { position: position as number, hash, anchoredAt } : undefined;
  } catch {
    return undefined;
  }
}

type ChainBreak = NonNullable<AnswerOf<'verifyAuditChain'>['break']>;

interface CheckedChain {
  /** Entries that are in order. */
  links: number;
  /** Anchors of the file that the chain agrees with. */
  anchors: number;
  /** The first break, by its position. */
  broken: ChainBreak | undefined;
}

/**
 * Reads the whole audit chain, page by page, and compares it with kept anchors, by their position:
 * a person who rewrites a chain with all its hashes cannot change copies that are kept elsewhere.
 */
async function verifyAuditChain(ops: Resources, anchors: KeptAnchor[]): Promise<CheckedChain> {
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
