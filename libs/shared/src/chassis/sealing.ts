import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

/**
 * Encrypts ("seals") personal data at rest (names, phones, coordinates, codes to be sent) with
 * AES-256-GCM. A sealed value is `key id (4) | iv (12) | tag (16) | ciphertext`; its purpose and
 * the id of its row are authenticated with it, so that a value moved to another column or row does
 * not open.
 */
export interface Sealer {
  /** @param rowId id of the row that holds the value, or of the object that it belongs to */
  seal(text: string, purpose: string, rowId: string): Buffer;
  /**
   * A value of the previous release, which is not bound to its row, opens too.
   * @throws Error when the key, the purpose, the row or a byte differs
   */
  open(sealed: Buffer, purpose: string, rowId: string): string;
  /** The same for bytes, such as an image; these were always bound. */
  sealBytes(bytes: Buffer, purpose: string, rowId: string): Buffer;
  openBytes(sealed: Buffer, purpose: string, rowId: string): Buffer;
  /**
   * The text, sealed again and bound to its row; undefined if it is already bound.
   * @throws Error as open does
   */
  bind(sealed: Buffer, purpose: string, rowId: string): Buffer | undefined;
  /** A keyed fingerprint of a value, to look it up without opening any: equal for equal values. */
  blindIndex(value: string, purpose: string): Buffer;
}

interface SealingKey {
  id: Buffer;
  key: KeyObject;
}

/**
 * @param secret ENCRYPTION_KEY: at least 32 characters; all working keys are derived from it
 * @param options bind: false seals as the previous release does, whose processes then read it too
 */
export function createSealer(secret: string, { bind = true } = {}): Sealer {
  const unbound = sealingKey(secret, 'fiado sealing');
  const bound = sealingKey(secret, 'fiado sealing, bound to the row');
  const indexKey = deriveKey(secret, 'fiado blind index');

  function open(sealed: Buffer, purpose: string, rowId: string): string {
    if (isSealedWith(unbound, sealed)) return decrypt(unbound, sealed, purpose).toString();
    return decrypt(bound, sealed, boundTo(purpose, rowId)).toString();
  }

  return {
    open,
    seal: (text, purpose, rowId) =>
      bind
        ? encrypt(bound, Buffer.from(text), boundTo(purpose, rowId))
        : encrypt(unbound, Buffer.from(text), purpose),
    sealBytes: (bytes, purpose, rowId) =>
      encrypt(bind ? bound : unbound, bytes, boundTo(purpose, rowId)),
    openBytes: (sealed, purpose, rowId) =>
      decrypt(isSealedWith(unbound, sealed) ? unbound : bound, sealed, boundTo(purpose, rowId)),
    bind: (sealed, purpose, rowId) =>
      isSealedWith(unbound, sealed)
        ? encrypt(bound, Buffer.from(open(sealed, purpose, rowId)), boundTo(purpose, rowId))
        : undefined,
    blindIndex: (value, purpose) =>
      createHmac('sha256', indexKey).update(purpose).update('\0').update(value).digest(),
  };
}

/** What is authenticated with a value. An id holds no space, so that no two pairs are one text. */
function boundTo(purpose: string, rowId: string): string {
  return `${purpose} ${rowId}`;
}

function isSealedWith({ id }: SealingKey, sealed: Buffer): boolean {
  return sealed.subarray(0, KEY_ID_BYTES).equals(id);
}

function encrypt({ id, key }: SealingKey, bytes: Buffer, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([id, iv, cipher.getAuthTag(), ciphertext]);
}

function decrypt(sealingKey: SealingKey, sealed: Buffer, context: string): Buffer {
  if (!isSealedWith(sealingKey, sealed)) {
    throw new Error('The value was sealed with another ENCRYPTION_KEY');
  }
  const iv = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
  const body = sealed.subarray(KEY_ID_BYTES + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey.key, iv, {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(context));
  decipher.setAuthTag(body.subarray(0, TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(TAG_BYTES)), decipher.final()]);
  } catch (error) {
    // Node's error names neither. The context is a purpose and the id of a row.
    throw new Error(`The sealed value of ${context} was changed or belongs to another row`, {
      cause: error,
    });
  }
}

function sealingKey(secret: string, info: string): SealingKey {
  const key = deriveKey(secret, info);
  const id = createHmac('sha256', key).update('key id').digest().subarray(0, KEY_ID_BYTES);
  return { id, key };
}

/** As an object that Node prepares once: Node 24 takes 13 µs a call to prepare a key's bytes. */
function deriveKey(secret: string, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', info, 32)));
}
