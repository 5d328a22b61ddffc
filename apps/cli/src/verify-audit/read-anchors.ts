import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from '../errors';
import type { Io } from '../session';

/** What an anchor states: the chain had this hash at this position. */
export interface KeptAnchor {
  position: number;
  /** Hex. */
  hash: string;
  /** ISO 8601. */
  anchoredAt: string;
}

/** A signed anchor (JWS, compact form), wherever it stands in a line of a log. */
const JWS = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;
const SHA256_HEX = /^[\da-f]{64}$/;

/**
 * Reads copies of anchors: lines of the log or of `audit-anchors/accounts.jws`. Other lines are passed
 * over. Their signatures are not checked: copies count because they were kept out of reach.
 * @param file `-` is stdin
 * @returns the anchors by their position
 * @throws UsageError for a file that cannot be read, or has no anchor
 */
export async function readAnchors(file: string, { stdin }: Io): Promise<KeptAnchor[]> {
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
