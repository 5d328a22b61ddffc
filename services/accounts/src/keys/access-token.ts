import { createHmac, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { signingKeysOf, type SigningKeys } from '@fiado/contracts/signing-keys';

/** Life of an access token. */
export const ACCESS_TOKEN_LIFE_SECONDS = 3600;

/** Life of the token that stands for a person's session: the console takes one for each request. */
const STAFF_TOKEN_LIFE_SECONDS = 300;
/** The kind in the token of a person, whose `keyId` is its session. */
export const STAFF_KIND = 'staff';

const ISSUER = 'fiado';
const AUDIENCE = 'fiado-api';
const ALGORITHM = 'EdDSA';
/** Three parts of base64url. Keys do not have this form. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Hex digits of the ops key's fingerprint: enough to tell keys apart. */
const FINGERPRINT_DIGITS = 16;

/** Claims of a token: its caller, and the key that it was issued for and expires with. */
export interface AccessTokenClaims {
  ownerId: string;
  kind: string;
  keyId: string;
}

/** The keys of access tokens. */
export interface AccessTokenKeys {
  /** Signs new tokens. */
  signing: SigningKeys;
  /** Tokens of any of them are valid, so that the key can be exchanged while tokens live (ADR 62). */
  publicKeys: KeyObject[];
  /** Names of the ops key in tokens of each of them; new tokens have the first. */
  opsKeyIds: [current: string, ...previous: string[]];
}

/** The keys of the configuration. */
export function accessTokenKeysOf({
  ACCESS_TOKEN_PRIVATE_KEY: current,
  ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS: previous,
  OPS_API_KEY,
}: {
  ACCESS_TOKEN_PRIVATE_KEY: string;
  ACCESS_TOKEN_PRIVATE_KEY_PREVIOUS?: string;
  OPS_API_KEY: string;
}): AccessTokenKeys {
  const signing = signingKeysOf(current);
  const before = previous === undefined ? [] : [previous];
  return {
    signing,
    publicKeys: [signing.publicKey, ...before.map((key) => signingKeysOf(key).publicKey)],
    opsKeyIds: [
      opsKeyFingerprint(OPS_API_KEY, current),
      ...before.map((key) => opsKeyFingerprint(OPS_API_KEY, key)),
    ],
  };
}

/** Whether a credential is to be read as a token and not as a key. */
export function looksLikeAccessToken(credential: string): boolean {
  return COMPACT_JWT.test(credential);
}

export function signAccessToken(
  keys: SigningKeys,
  claims: AccessTokenClaims,
  now: Date,
): Promise<string> {
  return sign(keys, claims, now, ACCESS_TOKEN_LIFE_SECONDS);
}

/** The token of a signed-in person. */
export function signStaffToken(
  keys: SigningKeys,
  { staffId, sessionId }: { staffId: string; sessionId: string },
  now: Date,
): Promise<string> {
  const claims = { ownerId: staffId, kind: STAFF_KIND, keyId: sessionId };
  return sign(keys, claims, now, STAFF_TOKEN_LIFE_SECONDS);
}

function sign(
  { privateKey }: SigningKeys,
  { ownerId, kind, keyId }: AccessTokenClaims,
  now: Date,
  lifeSeconds: number,
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ kind, keyId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(ownerId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifeSeconds)
    .sign(privateKey);
}

/** Claims of a token whose signature is good. */
type ReadClaims = AccessTokenClaims & { isExpired: boolean };

/** @returns undefined for a token that is forged, malformed or meant for others */
export async function readAccessToken(
  { publicKeys }: AccessTokenKeys,
  token: string,
  now: Date,
): Promise<ReadClaims | undefined> {
  for (const publicKey of publicKeys) {
    const claims = await readWith(publicKey, token, now);
    if (claims !== undefined) return claims;
  }
  return undefined;
}

async function readWith(
  publicKey: KeyObject,
  token: string,
  now: Date,
): Promise<ReadClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      // Pinned, so that the header of the token cannot choose the algorithm.
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: now,
    });
    return claimsOf(payload, false);
  } catch (error) {
    // Thrown after the signature, the issuer and the audience were found good.
    if (error instanceof errors.JWTExpired) return claimsOf(error.payload, true);
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

function claimsOf({ sub = '', kind, keyId }: JWTPayload, isExpired: boolean) {
  if (typeof kind !== 'string' || typeof keyId !== 'string') return undefined;
  return { ownerId: sub, kind, keyId, isExpired };
}

/**
 * Identifies the ops key without revealing it, so that a token ends when the key is replaced.
 * Keyed, because a plain hash in a token would allow guessing the key.
 */
function opsKeyFingerprint(opsKey: string, secret: string): string {
  const digest = createHmac('sha256', secret).update(opsKey).digest('hex');
  return `ops-${digest.slice(0, FINGERPRINT_DIGITS)}`;
}
