import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { KEY_ID_BYTES } from '../sealing';
import type { DataKey } from './data-keys';

export const DERIVED_KEY_BYTES = 32;

/** A working key of a secret. @param info what the key is for: other texts give other keys */
export function deriveKey(secret: string, info: string): KeyObject {
  return createSecretKey(derive(secret, info));
}

/** Names a key by a fingerprint of it. */
export function keyIdOf(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('key id').digest().subarray(0, KEY_ID_BYTES);
}

/**
 * The keys with the number 0, which releases without data keys derive from ENCRYPTION_KEY at each
 * start. The texts must not change: they opened all data of such a release.
 */
export function firstDataKeys(secret: string): DataKey[] {
  const sealing = ['fiado sealing', 'fiado sealing, bound to the row'];
  const common = { number: 0, isSealing: true };
  return [
    {
      ...common,
      kind: 'seal',
      secret: Buffer.concat(sealing.map((info) => derive(secret, info))),
    },
    { ...common, kind: 'index', secret: derive(secret, 'fiado blind index') },
  ];
}

function derive(secret: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, DERIVED_KEY_BYTES));
}
