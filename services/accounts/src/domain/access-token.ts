import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Life of an access token (design 3). */
export const ACCESS_TOKEN_LIFE_SECONDS = 3600;

const ISSUER = 'fiado';
const AUDIENCE = 'fiado-api';
const ALGORITHM = 'EdDSA';
/** Three parts of base64url; neither a key nor the ops key of a careful person looks like it. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Hex digits of the ops key's fingerprint: enough to tell keys apart. */
const FINGERPRINT_DIGITS = 16;

export interface SigningKeys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** What a token says: whose it is, and the key that it was issued for and ends with. */
export interface AccessTokenClaims {
  ownerId: string;
  kind: string;
  keyId: string;
}

/**
 * Reads the signing key of the configuration: base64 of PKCS8 PEM.
 * @throws Error when it is no Ed25519 private key
 */
export function signingKeysOf(encoded: string): SigningKeys {
  const privateKey = createPrivateKey(Buffer.from(encoded, 'base64'));
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('Not an Ed25519 private key');
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Whether a credential is to be read as a token and not as a key. */
export function looksLikeAccessToken(credential: string): boolean {
  return COMPACT_JWT.test(credential);
}

export function signAccessToken(
  { privateKey }: SigningKeys,
  { ownerId, kind, keyId }: AccessTokenClaims,
  now: Date,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ kind, keyId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(ownerId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_LIFE_SECONDS)
    .sign(privateKey);
}

/** @returns undefined for a token that is forged, malformed, meant for others or past its life */
export async function readAccessToken(
  { publicKey }: SigningKeys,
  token: string,
  now: Date,
): Promise<AccessTokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // Pinned: the token's own header does not choose how it is checked.
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: now,
    });
    const { sub = '', kind, keyId } = payload;
    if (typeof kind !== 'string' || typeof keyId !== 'string') return undefined;
    return { ownerId: sub, kind, keyId };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/**
 * Names the ops key without telling it, so that a token ends when the key is replaced. Keyed: a
 * plain hash in a token would let its reader try keys out.
 */
export function opsKeyFingerprint(opsKey: string, secret: string): string {
  const digest = createHmac('sha256', secret).update(opsKey).digest('hex');
  return `ops-${digest.slice(0, FINGERPRINT_DIGITS)}`;
}
