import { createHash, randomBytes } from 'node:crypto';

/** A session ends when it was not used for this long. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** A session ends after this, however much it is used: one working day. */
export const SESSION_LIFE_MS = 12 * 60 * 60_000;
/** Life of an invitation: a day to open it. */
export const INVITATION_LIFE_MS = 24 * 60 * 60_000;
/** Time to sign in with a passkey, once it was begun. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** Time to sign in at the identity provider, which may ask for more than a touch. */
export const IDENTITY_PROVIDER_LIFE_MS = 10 * 60_000;

const TOKEN_BYTES = 32;

/** A new random token with that prefix, to be shown once, and the hash that is kept of it. */
export function newStaffToken(prefix: 'session' | 'invite' | 'login'): {
  token: string;
  hash: Buffer;
} {
  const token = `fiado_${prefix}_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  return { token, hash: hashOfStaffToken(token) };
}

/** 256 random bits need no slow hash. */
export function hashOfStaffToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
