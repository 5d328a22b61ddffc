import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/** Bytes at the beginning of a sealed value that name its key. */
export const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts ("seals") personal data at rest (names, phones, coordinates, codes to be sent) with
 * AES-256-GCM. A sealed value is `key id (4) | iv (12) | tag (16) | ciphertext`; its purpose and
 * the id of its row are authenticated with it, so that a value moved to another column or row does
 * not open.
 */
export interface Sealer {
  /**
   * @param rowId id of the row that holds the value, or of the object that it belongs to
   * @throws AppError SERVICE_UNAVAILABLE while the keys of this process may be out of date
   */
  seal(text: string, purpose: string, rowId: string): Buffer;
  /**
   * A value that an older key sealed opens too, until that key is retired.
   * @throws AppError SERVICE_UNAVAILABLE when this process has not read the key yet, Error when the
   *   key, the purpose, the row or a byte differs
   */
  open(sealed: Buffer, purpose: string, rowId: string): string;
  /** The same for bytes, such as an image. */
  sealBytes(bytes: Buffer, purpose: string, rowId: string): Buffer;
  openBytes(sealed: Buffer, purpose: string, rowId: string): Buffer;
  /**
   * The text or bytes, sealed with the newest key; undefined if they are already.
   * @throws as open does
   */
  reseal(sealed: Buffer, purpose: string, rowId: string): Buffer | undefined;
  /** A keyed fingerprint of a value, to look it up without opening any: equal for equal values. */
  blindIndex(value: string, purpose: string): Buffer;
}

/** A key of AES-256-GCM with the id that its values begin with. */
export interface SealingKey {
  id: Buffer;
  key: KeyObject;
}

/** The keys of a sealer. Those of a service change while it runs: see DataKeys. */
export interface SealingKeys {
  /** Seals. @throws AppError SERVICE_UNAVAILABLE while the keys may be out of date */
  newest(): SealingKey;
  /** The key of a sealed value. @throws as Sealer.open does */
  keyOf(sealed: Buffer): SealingKey;
  /** Keys the blind index. */
  index(): KeyObject;
}

export function createSealer(keys: SealingKeys): Sealer {
  const openBytes = (sealed: Buffer, purpose: string, rowId: string): Buffer =>
    decrypt(keys.keyOf(sealed), sealed, boundTo(purpose, rowId));
  const sealBytes = (bytes: Buffer, purpose: string, rowId: string): Buffer =>
    encrypt(keys.newest(), bytes, boundTo(purpose, rowId));
  const isNewest = (sealed: Buffer): boolean =>
    sealed.subarray(0, KEY_ID_BYTES).equals(keys.newest().id);

  return {
    open: (sealed, purpose, rowId) => openBytes(sealed, purpose, rowId).toString(),
    seal: (text, purpose, rowId) => sealBytes(Buffer.from(text), purpose, rowId),
    openBytes,
    sealBytes,
    reseal: (sealed, purpose, rowId) =>
      isNewest(sealed) ? undefined : sealBytes(openBytes(sealed, purpose, rowId), purpose, rowId),
    blindIndex: (value, purpose) =>
      createHmac('sha256', keys.index()).update(purpose).update('\0').update(value).digest(),
  };
}

/** The data that are authenticated with a value. An id holds no space, so no two pairs are one text. */
function boundTo(purpose: string, rowId: string): string {
  return `${purpose} ${rowId}`;
}

/** Seals bytes. @param context authenticated with them: a purpose and what they belong to */
export function encrypt({ id, key }: SealingKey, bytes: Buffer, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([id, iv, cipher.getAuthTag(), ciphertext]);
}

/** Opens what encrypt sealed with that key. @throws Error when the context or a byte differs */
export function decrypt({ key }: SealingKey, sealed: Buffer, context: string): Buffer {
  const iv = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
  const body = sealed.subarray(KEY_ID_BYTES + IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, {
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
