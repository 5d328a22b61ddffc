import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { StaffCredentialRow } from './staff-credential.entity';

/** Time to sign in with a passkey, once it was begun. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;

export type ChallengePurpose = 'enrol' | 'sign-in' | 'identity-provider';

/** One attempt to sign in that was begun. */
export interface StaffChallenge {
  /** SHA-256 of the challenge or of the token in the browser's cookie. */
  hash: Buffer;
  purpose: ChallengePurpose;
  /** Only of an enrolment: for whom. */
  staffId?: string | null;
  /** Only at the identity provider, as are the next three. */
  state?: string | null;
  nonce?: string | null;
  codeVerifier?: string | null;
  /** Seconds since the person proved at the identity provider who it is. */
  maxAge?: number | null;
}

/** Expired attempts that one new attempt deletes: more than one, so that they never pile up. */
const MAX_FORGOTTEN = 100;

export async function insertChallenge(
  db: Db,
  challenge: StaffChallenge,
  lifeMs: number,
): Promise<void> {
  await query(
    db,
    `DELETE FROM staff_challenges WHERE hash IN (
       SELECT hash FROM staff_challenges WHERE expires_at < now()
        ORDER BY expires_at LIMIT ${MAX_FORGOTTEN} FOR UPDATE SKIP LOCKED)`,
  );
  const { hash, purpose, staffId, state, nonce, codeVerifier, maxAge } = challenge;
  await query(
    db,
    `INSERT INTO staff_challenges
       (hash, purpose, staff_id, state, nonce, code_verifier, max_age, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8::float / 1000))`,
    [hash, purpose, staffId, state, nonce, codeVerifier, maxAge, lifeMs],
  );
}

/** Takes an attempt: each is taken once. @returns undefined when it is unknown or took too long */
export async function takeChallenge(
  db: Db,
  hash: Buffer,
  purpose: ChallengePurpose,
): Promise<StaffChallenge | undefined> {
  const [challenge] = await query<StaffChallenge & { isLive: boolean }>(
    db,
    `DELETE FROM staff_challenges WHERE hash = $1 AND purpose = $2
     RETURNING hash, purpose, staff_id, state, nonce, code_verifier, max_age,
               expires_at > now() AS is_live`,
    [hash, purpose],
  );
  return challenge?.isLive === true ? challenge : undefined;
}

/** A passkey: its public part. */
export type StaffCredential = Omit<StaffCredentialRow, 'createdAt' | 'lastUsedAt'>;
