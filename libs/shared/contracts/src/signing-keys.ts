import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** An Ed25519 key pair. */
export interface SigningKeys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * Reads a private key of the configuration: base64 of PKCS8 PEM.
 * @throws Error when it is no Ed25519 private key
 */
export function signingKeysOf(encoded: string): SigningKeys {
  const privateKey = createPrivateKey(Buffer.from(encoded, 'base64'));
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('Not an Ed25519 private key');
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** A public key as the configuration has it: its 32 bytes in base64url. */
export function publicKeyText({ publicKey }: SigningKeys): string {
  return publicKey.export({ format: 'jwk' }).x ?? '';
}
