import { createRemoteJWKSet, jwtVerify } from 'jose';

/**
 * Algorithms of an ID token: those with a public key. Neither `none`, nor HMAC, whose key may be a public
 * one that an attacker knows.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Time between two reads of the keys for a `kid` that they lack: a flood of tokens is not one of reads. */
const UNKNOWN_KEY_PAUSE_MS = 60_000;
/** Keys are read again after this time, so that one that was withdrawn ends. */
const KEYS_LIFE_MS = 600_000;
/** Time for one read of the keys: a person waits for it. */
const TIMEOUT_MS = 5_000;

/** @throws Error when the token is not signed by a key of the identity provider */
export type CheckSignature = (idToken: string) => Promise<void>;

/**
 * Checks the signature of ID tokens with the keys of the identity provider, whatever algorithms it claims
 * to support.
 */
export function createSignatureCheck(
  { jwksUri, issuer, audience }: { jwksUri: string; issuer: string; audience: string },
  unknownKeyPauseMs = UNKNOWN_KEY_PAUSE_MS,
): CheckSignature {
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: unknownKeyPauseMs,
    cacheMaxAge: KEYS_LIFE_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  return async (idToken) => {
    await jwtVerify(idToken, keys, { algorithms: ALGORITHMS, issuer, audience });
  };
}
