import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { AppError } from '@fiado/contracts/errors';
import { KEY_ID_BYTES, type SealingKey, type SealingKeys } from './sealing';

/**
 * How long a process seals with the keys that it has read, in milliseconds. A process that has not
 * read them for as long is no longer waited for when a key is exchanged (data_key_holders).
 */
export const KEYS_VALID_MS = 60_000;

/** Far above the number of any key; the id of key 0 is above it, but for one in 40,000 secrets. */
const MAX_NUMBER = 100_000;

const DERIVED_KEY_BYTES = 32;

/** A key as the table data_keys holds it, unwrapped. */
export interface DataKey {
  kind: 'seal' | 'index';
  number: number;
  secret: Buffer;
  /** Whether values are sealed with it; before, it only opens them. */
  isSealing: boolean;
}

/**
 * The data keys of a process by their numbers. A sealed value begins with the number of its key, as
 * four bytes, big-endian. Key 0 was derived from ENCRYPTION_KEY, and its values begin with a fingerprint
 * of it.
 */
export class DataKeys implements SealingKeys {
  private byId = new Map<number, SealingKey>();
  private sealing: { number: number; key: SealingKey } | undefined;
  private indexKey: KeyObject | undefined;
  private validUntilMs = 0;
  /** The highest number that this process opens, or -1. */
  newestOpened = -1;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /** The number of the key that seals; undefined without any key. */
  get sealingNumber(): number | undefined {
    return this.sealing?.number;
  }

  /**
   * Takes all keys of the database.
   * @param readAtMs monotonic time just before they were read
   */
  take(keys: DataKey[], readAtMs: number): void {
    const byId = new Map<number, SealingKey>();
    this.newestOpened = -1;
    let sealing: { number: number; key: SealingKey } | undefined;
    for (const { kind, number, secret, isSealing } of keys) {
      if (kind === 'index') {
        if (isSealing) this.indexKey = createSecretKey(secret);
        continue;
      }
      const key = number === 0 ? firstKey(secret) : numberedKey(number, secret);
      byId.set(key.id.readUInt32BE(), key);
      this.newestOpened = Math.max(this.newestOpened, number);
      if (isSealing && number >= (sealing?.number ?? 0)) sealing = { number, key };
    }
    this.byId = byId;
    this.sealing = sealing;
    this.validUntilMs = readAtMs + KEYS_VALID_MS;
  }

  newest(): SealingKey {
    if (this.sealing === undefined || this.monotonicMs() > this.validUntilMs) {
      throw new AppError('SERVICE_UNAVAILABLE', {
        cause: new Error('The data keys were not read for a while'),
      });
    }
    return this.sealing.key;
  }

  keyOf(sealed: Buffer): SealingKey {
    const id = sealed.length < KEY_ID_BYTES ? -1 : sealed.readUInt32BE();
    const key = this.byId.get(id);
    if (key !== undefined) return key;
    if (id > this.newestOpened && id <= MAX_NUMBER) {
      throw new AppError('SERVICE_UNAVAILABLE', {
        cause: new Error(`This process has not read data key ${id} yet`),
      });
    }
    throw new Error('The value was sealed with another ENCRYPTION_KEY or a retired key');
  }

  index(): KeyObject {
    if (this.indexKey === undefined) throw new Error('There is no key of the blind index');
    return this.indexKey;
  }
}

function numberedKey(number: number, secret: Buffer): SealingKey {
  const id = Buffer.alloc(KEY_ID_BYTES);
  id.writeUInt32BE(number);
  return { id, key: createSecretKey(secret) };
}

/** A database from before version 1.0.0 holds another key before this one. */
function firstKey(secret: Buffer): SealingKey {
  const key = createSecretKey(secret.subarray(-DERIVED_KEY_BYTES));
  return { id: keyIdOf(key), key };
}

/**
 * The keys with the number 0. All services derive the same at their first start. The texts must not
 * change: they are the keys of what was sealed before the first rotation.
 */
export function firstDataKeys(secret: string): DataKey[] {
  const common = { number: 0, isSealing: true };
  return [
    { ...common, kind: 'seal', secret: derive(secret, 'fiado sealing, bound to the row') },
    { ...common, kind: 'index', secret: derive(secret, 'fiado blind index') },
  ];
}

/** A working key of a secret. @param info what the key is for: other texts give other keys */
export function deriveKey(secret: string, info: string): KeyObject {
  return createSecretKey(derive(secret, info));
}

function derive(secret: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', info, DERIVED_KEY_BYTES));
}

/** Names a key by a fingerprint of it. */
export function keyIdOf(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('key id').digest().subarray(0, KEY_ID_BYTES);
}
