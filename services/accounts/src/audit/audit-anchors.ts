import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactSign, compactVerify, decodeProtectedHeader, errors } from 'jose';
import type { ProcessKeys } from '@fiado/chassis/keys/process-keys';
import type { ChainPoint } from './audit-chain';

/** What an anchor states: the chain had this hash at this position. */
interface AnchorClaims {
  position: number;
  /** Hex. */
  hash: string;
  /** ISO 8601. */
  anchoredAt: string;
}

/** An anchor that was read back. */
export interface Anchor extends AnchorClaims {
  /** Not valid: forged or damaged. Unknown: its key is no longer in INTERNAL_TOKEN_PUBLIC_KEYS. */
  signature: 'valid' | 'not-valid' | 'unknown-key';
}

/** Anchors of the audit chain outside the database, one signed line each (JWS, compact form). */
export interface AuditAnchors {
  /** Signs and keeps an anchor. @returns the line, for the log */
  add(point: ChainPoint, now: Date): Promise<string>;
  /** All anchors that were kept, oldest first. */
  list(): Promise<Anchor[]>;
}

const ALGORITHM = 'EdDSA';
/** Keeps an anchor from being taken for a token or a job that the same key signs. */
const TYPE = 'fiado-audit-anchor';
const SHA256_HEX = /^[\da-f]{64}$/;

/** Keeps the anchors in a file of a folder, which may be a volume of its own. */
export function createAuditAnchors(folder: string, keys: ProcessKeys): AuditAnchors {
  const file = join(folder, `${keys.process}.jws`);
  return {
    add: async ({ position, hash }, now) => {
      const claims: AnchorClaims = {
        position,
        hash: hash.toString('hex'),
        anchoredAt: now.toISOString(),
      };
      const line = await new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keys.keyId })
        .sign(keys.privateKey);
      await mkdir(folder, { recursive: true });
      // Flushed: an anchor in the log alone is lost with a rotated log.
      await appendFile(file, `${line}\n`, { flush: true });
      return line;
    },
    list: async () => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const lines = text.split('\n').filter((line) => line !== '');
      return Promise.all(lines.map((line) => readAnchor(line, keys)));
    },
  };
}

async function readAnchor(line: string, { publicKeys, process }: ProcessKeys): Promise<Anchor> {
  try {
    const { kid = '', typ } = decodeProtectedHeader(line);
    const known = publicKeys.get(kid);
    if (known === undefined && kid !== '') {
      return { ...claimsOf(decodePayload(line)), signature: 'unknown-key' };
    }
    if (known?.process !== process || typ !== TYPE) return NOT_VALID;
    const { payload } = await compactVerify(line, known.key, { algorithms: [ALGORITHM] });
    return { ...claimsOf(Buffer.from(payload)), signature: 'valid' };
  } catch (error) {
    if (isMalformed(error)) return NOT_VALID;
    throw error;
  }
}

const NOT_VALID: Anchor = { position: 0, hash: '', anchoredAt: '', signature: 'not-valid' };

function decodePayload(line: string): Buffer {
  return Buffer.from(line.split('.')[1] ?? '', 'base64url');
}

/** @throws SyntaxError when the payload is no anchor */
function claimsOf(payload: Buffer): AnchorClaims {
  const claims = JSON.parse(payload.toString()) as Partial<AnchorClaims>;
  const { position = -1, hash = '', anchoredAt = '' } = claims;
  if (position < 0 || !SHA256_HEX.test(hash)) throw new SyntaxError('Not an anchor');
  return { position, hash, anchoredAt };
}

function isMalformed(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError
  );
}
