import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '@fiado/shared/contracts/caller';

/** Life of a link: a day to find the SMS or mail that it came in. */
export const KYC_LINK_LIFE_MS = 24 * 3600 * 1000;

const TOKEN_BYTES = 32;

/** The token of a new link, to be shown once, and the hash that is kept of it. */
export function newLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashOfLinkToken(token) };
}

/** 256 random bits need no slow hash. */
export function hashOfLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** In whose name the owner acts who opened a link: the wholesaler's that made it. */
export function linkCaller(wholesalerId: string): Caller {
  return { kind: 'wholesaler', id: wholesalerId, name: 'kyc-link', scopes: [] };
}
