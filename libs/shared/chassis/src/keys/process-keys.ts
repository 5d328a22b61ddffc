import { createPublicKey, type KeyObject } from 'node:crypto';
import { PROCESS_NAMES, type ProcessName } from '@fiado/contracts/process-names';
import { publicKeyText, signingKeysOf } from '@fiado/contracts/signing-keys';

/** Characters of a public key that name it: enough that no two keys share them. */
const KEY_ID_LENGTH = 16;
/** A raw Ed25519 public key of 32 bytes in base64url. */
const PUBLIC_KEY = /^[\w-]{43}$/;

/**
 * The key with which a process signs tokens and jobs, and the keys with which it verifies those of
 * others.
 */
export interface ProcessKeys {
  /** The process itself. */
  process: ProcessName;
  privateKey: KeyObject;
  /** Id of its key in signed tokens and jobs. */
  keyId: string;
  /** By their ids. A process may have several keys, so that they can be rotated. */
  publicKeys: PublicKeys;
}

export type PublicKeys = Map<string, { process: ProcessName; key: KeyObject }>;

/** INTERNAL_TOKEN_PUBLIC_KEYS of processes whose private keys are these: one or several of each. */
export function publicKeysText(privateKeysOf: (process: ProcessName) => string | string[]): string {
  const parts = PROCESS_NAMES.flatMap((process) =>
    [privateKeysOf(process)]
      .flat()
      .map((privateKey) => `${process}=${publicKeyText(signingKeysOf(privateKey))}`),
  );
  return [...new Set(parts)].join(',');
}

/**
 * Reads INTERNAL_TOKEN_PUBLIC_KEYS: `gateway=<key>,accounts=<key>`, each key its 32 bytes in
 * base64url.
 * @throws Error when a part is malformed, names no process, or repeats a key
 */
export function publicKeysOf(text: string): PublicKeys {
  const keys: PublicKeys = new Map();
  for (const part of text.split(',')) {
    const [name = '', x = ''] = part.trim().split('=', 2);
    const process = PROCESS_NAMES.find((known) => known === name);
    if (process === undefined || !PUBLIC_KEY.test(x)) throw new Error('Not a public key');
    const keyId = keyIdOf(x);
    if (keys.has(keyId)) throw new Error('A public key is listed twice');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    keys.set(keyId, { process, key });
  }
  return keys;
}

/**
 * The keys of a process by its configuration.
 * @throws Error if its own public key is not in the list
 */
export function processKeysOf(
  process: ProcessName,
  config: { INTERNAL_TOKEN_PRIVATE_KEY: string; INTERNAL_TOKEN_PUBLIC_KEYS: string },
): ProcessKeys {
  const own = signingKeysOf(config.INTERNAL_TOKEN_PRIVATE_KEY);
  const publicKeys = publicKeysOf(config.INTERNAL_TOKEN_PUBLIC_KEYS);
  const keyId = keyIdOf(publicKeyText(own));
  if (publicKeys.get(keyId)?.process !== process) {
    throw new Error(
      `INTERNAL_TOKEN_PUBLIC_KEYS does not name the key of ${process}, which is INTERNAL_TOKEN_PRIVATE_KEY's`,
    );
  }
  return { process, privateKey: own.privateKey, keyId, publicKeys };
}

function keyIdOf(publicKey: string): string {
  return publicKey.slice(0, KEY_ID_LENGTH);
}
