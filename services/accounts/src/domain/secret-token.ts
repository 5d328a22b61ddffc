import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A new token with that prefix, to be shown once, and the hash that is kept of it. */
export function newSecretToken(prefix = ''): { token: string; tokenHash: Buffer } {
  const token = prefix + randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: hashOfToken(token) };
}

/** 256 random bits need no slow hash. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
