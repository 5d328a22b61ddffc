import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

const PREFIX = { production: 'fiado_live_', sandbox: 'fiado_test_' } as const;

/** A new key, to be shown once, and the hash that is kept of it. */
export function newApiKey(mode: keyof typeof PREFIX): { apiKey: string; keyHash: Buffer } {
  const apiKey = PREFIX[mode] + randomBytes(KEY_BYTES).toString('base64url');
  return { apiKey, keyHash: hashOfKey(apiKey) };
}

/** 256 random bits need no slow hash. */
export function hashOfKey(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

/** Compares keys in constant time, whatever their lengths. */
export function isSameKey(given: string, expected: string): boolean {
  return timingSafeEqual(hashOfKey(given), hashOfKey(expected));
}
