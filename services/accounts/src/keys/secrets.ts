import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

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

const PREFIX = { production: 'fiado_live_', sandbox: 'fiado_test_' } as const;

/** A new key, to be shown once, and the hash that is kept of it. */
export function newApiKey(mode: keyof typeof PREFIX): { apiKey: string; keyHash: Buffer } {
  const { token, tokenHash } = newSecretToken(PREFIX[mode]);
  return { apiKey: token, keyHash: tokenHash };
}

/** Compares keys in constant time, whatever their lengths. */
export function isSameKey(given: string, expected: string): boolean {
  return timingSafeEqual(hashOfToken(given), hashOfToken(expected));
}

const SECRET_BYTES = 32;

/** A new secret that a payment provider signs its deposits with. */
export function newSigningSecret(): string {
  return `fiado_sign_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}
