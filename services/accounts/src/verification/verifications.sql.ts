import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { newCodeSalt } from '@fiado/chassis/verification/code';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

/** The data of a user, sealed; null leaves a field unchanged. */
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
  const { expiresAt } = await queryOne<{ expiresAt: Date }>(
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
     RETURNING expires_at`,
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
  return expiresAt;
}

/** Verifications of a user that one wholesaler began in the last 24 hours. */
export async function countVerificationsOfDay(
  tx: Db,
  wholesalerId: string,
  userId: string,
): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    tx,
    `SELECT count(*) FROM verifications
      WHERE user_id = $1 AND wholesaler_id = $2 AND created_at > now() - interval '24 hours'`,
    [userId, wholesalerId],
  );
  return count;
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
export function lockVerification(
  tx: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<LockedVerification | undefined> {
  return queryRow<LockedVerification>(
    tx,
    `SELECT v.id AS "verificationId", v.phone, v.phone_index,
            s.user_id, s.id AS "cornerStoreId", s.status AS "cornerStoreStatus"
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
       JOIN verifications v ON v.user_id = s.user_id AND v.wholesaler_id = $1
      WHERE s.user_id = $2 AND v.id = $3
        -- Order of locks: store before verification, as when a new one cancels this one.
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId, verificationId],
  );
}

/**
 * The user's corner store, and whether the verification is the calling wholesaler's. Locks nothing.
 * @returns undefined when the wholesaler has no such customer
 */
export function findVerification(
  db: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<{ cornerStoreId: string; verificationKnown: boolean } | undefined> {
  return queryRow<{ cornerStoreId: string; verificationKnown: boolean }>(
    db,
    `SELECT s.id AS "cornerStoreId",
            EXISTS (SELECT FROM verifications
                     WHERE id = $3 AND user_id = $2 AND wholesaler_id = $1) AS "verificationKnown"
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.user_id = $2`,
    [wholesalerId, userId, verificationId],
  );
}

/**
 * Ends the code that a wholesaler's verification of a user waits for, if there is one: a resend makes
 * a new one. With the store locked.
 */
export async function voidPendingCode(tx: Db, wholesalerId: string, userId: string): Promise<void> {
  await query(
    tx,
    `UPDATE verifications SET code_salt = $3, expires_at = now()
      WHERE user_id = $2 AND wholesaler_id = $1 AND status = 'pending'`,
    [wholesalerId, userId, newCodeSalt()],
  );
}

/** A user that the calling wholesaler has as its customer, with its store locked. */
export interface LockedUser {
  userId: string;
  cornerStoreId: string;
  status: CornerStoreStatus;
}

/**
 * Locks the corner store of a wholesaler's customer: whatever changes a store, its verifications
 * or its user's phone does this first.
 * @returns undefined when the user does not exist or is another wholesaler's
 */
export function lockUser(
  tx: Db,
  wholesalerId: string,
  userId: string,
): Promise<LockedUser | undefined> {
  return queryRow<LockedUser>(
    tx,
    `SELECT s.user_id, s.id AS "cornerStoreId", s.status
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.user_id = $2
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId],
  );
}
