import { KEY_ID_BYTES, decrypt, encrypt, type SealingKey } from '../sealing';
import type { Secret } from '../db/key-fingerprints';
import type { DataKey } from './data-keys';
import { deriveKey, keyIdOf } from './derive-key';

/** Wraps and unwraps data keys with ENCRYPTION_KEY, and unwraps with ENCRYPTION_KEY_PREVIOUS too. */
export interface WrappingKeys {
  wrap(key: Pick<DataKey, 'kind' | 'number' | 'secret'>): Buffer;
  /** @throws Error when neither secret wrapped it */
  unwrap(wrapped: Buffer, key: Pick<DataKey, 'kind' | 'number'>): Buffer;
  /** Whether ENCRYPTION_KEY itself wraps it. */
  isCurrent(wrapped: Buffer): boolean;
}

export function createWrappingKeys({ current, previous }: Secret): WrappingKeys {
  const own = wrappingKey(current);
  const known = previous === undefined ? [own] : [own, wrappingKey(previous)];
  return {
    wrap: (key) => encrypt(own, key.secret, contextOf(key)),
    unwrap(wrapped, key) {
      const by = known.find(({ id }) => id.equals(wrapped.subarray(0, KEY_ID_BYTES)));
      if (by === undefined) {
        throw new Error(
          'ENCRYPTION_KEY: neither it nor ENCRYPTION_KEY_PREVIOUS opens the data keys of this database',
        );
      }
      return decrypt(by, wrapped, contextOf(key));
    },
    isCurrent: (wrapped) => own.id.equals(wrapped.subarray(0, KEY_ID_BYTES)),
  };
}

function contextOf({ kind, number }: Pick<DataKey, 'kind' | 'number'>): string {
  return `data key ${kind} ${number}`;
}

function wrappingKey(secret: string): SealingKey {
  const key = deriveKey(secret, 'fiado wrapping of data keys');
  return { id: keyIdOf(key), key };
}
