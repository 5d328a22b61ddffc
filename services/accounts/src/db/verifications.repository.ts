import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';

/** What a user's owner told of itself, sealed; what is null stays as it was. */
export interface UserDetails {
  firstName: Buffer;
  lastNames: Buffer;
  latitude: Buffer | null;
  longitude: Buffer | null;
  contacts: Buffer | null;
  /** JSON text, kept as it was sent. */
  metadata: string | null;
}

export interface NewVerification {
  id: string;
  userId: string;
  wholesalerId: string;
  phone: Buffer;
  phoneIndex: Buffer;
  codeSalt: Buffer;
  /** Life of its code, in milliseconds. */
  lifeMs: number;
}

/**
 * Writes a user's details, cancels what was pending and begins a verification: one round trip.
 * @returns when its code ends, by the database's clock
 */
export async function beginVerification(
  tx: Db,
  details: UserDetails,
  verification: NewVerification,
): Promise<Date> {
  const [begun] = await query<{ expiresAt: Date }>(
    tx,
    `WITH told AS (
       UPDATE users
          SET first_name = $8, last_names = $9, updated_at = now(),
              latitude = coalesce($10, latitude), longitude = coalesce($11, longitude),
              contacts = coalesce($12, contacts), metadata = coalesce($13::json, metadata)
        WHERE id = $2
     ), cancelled AS (
       -- Another wholesaler's stays: it is not this caller's to end.
       UPDATE verifications SET status = 'cancelled'
        WHERE user_id = $2 AND wholesaler_id = $3 AND status = 'pending'
     )
     INSERT INTO verifications (id, user_id, wholesaler_id, phone, phone_index, code_salt, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7::float / 1000))
     RETURNING expires_at AS "expiresAt"`,
    [
      verification.id,
      verification.userId,
      verification.wholesalerId,
      verification.phone,
      verification.phoneIndex,
      verification.codeSalt,
      verification.lifeMs,
      details.firstName,
      details.lastNames,
      details.latitude,
      details.longitude,
      details.contacts,
      details.metadata,
    ],
  );
  if (begun === undefined) throw new Error('An INSERT returned no row');
  return begun.expiresAt;
}

/** A verification that the calling wholesaler began, with its user's store locked. */
export interface LockedVerification {
  verificationId: string;
  phone: Buffer;
  phoneIndex: Buffer;
  userId: string;
  cornerStoreId: string;
  cornerStoreStatus: CornerStoreStatus;
}

/** @returns undefined when it does not exist, is of another user or of another wholesaler */
export async function lockVerification(
  tx: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<LockedVerification | undefined> {
  const [verification] = await query<LockedVerification>(
    tx,
    `SELECT v.id AS "verificationId", v.phone, v.phone_index AS "phoneIndex",
            s.user_id AS "userId", s.id AS "cornerStoreId", s.status AS "cornerStoreStatus"
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
       JOIN verifications v ON v.user_id = s.user_id AND v.wholesaler_id = $1
      WHERE s.user_id = $2 AND v.id = $3
        -- Order of locks: store before verification, as when a new one cancels this one.
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId, verificationId],
  );
  return verification;
}

/** Whether the user, and its verification, are the calling wholesaler's. Locks nothing. */
export async function findVerification(
  db: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<{ userKnown: boolean; verificationKnown: boolean }> {
  const [found] = await query<{ userKnown: boolean; verificationKnown: boolean }>(
    db,
    `SELECT EXISTS (SELECT FROM customers c JOIN corner_stores s ON s.id = c.corner_store_id
                     WHERE c.wholesaler_id = $1 AND s.user_id = $2) AS "userKnown",
            EXISTS (SELECT FROM verifications
                     WHERE id = $3 AND user_id = $2 AND wholesaler_id = $1) AS "verificationKnown"`,
    [wholesalerId, userId, verificationId],
  );
  return found ?? { userKnown: false, verificationKnown: false };
}

/** Moves a verification to the phone that its next code goes to. */
export async function moveVerification(
  tx: Db,
  verificationId: string,
  { phone, phoneIndex }: { phone: Buffer; phoneIndex: Buffer },
): Promise<void> {
  await query(tx, 'UPDATE verifications SET phone = $2, phone_index = $3 WHERE id = $1', [
    verificationId,
    phone,
    phoneIndex,
  ]);
}
