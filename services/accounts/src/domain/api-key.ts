import { timingSafeEqual } from 'node:crypto';
import { hashOfToken, newSecretToken } from './secret-token';

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
