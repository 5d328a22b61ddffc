import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

/** A verification that the calling wholesaler began, with its user's store locked. */
export interface LockedVerification {
  verificationId: string;
  phone: Buffer;
  phoneIndex: Buffer;
  userId: string;
  cornerStoreId: string;
  cornerStoreStatus: CornerStoreStatus;
}

/** @returns undefined when it does not exist, is of another user or wholesaler, or the user is blocked */
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
      WHERE s.user_id = $2 AND v.id = $3 AND s.blocked_at IS NULL
        -- Order of locks: store before verification, as when a new one cancels this one.
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId, verificationId],
  );
}

/**
 * The user's corner store, and the salt of the verification's code; null when the verification is not the
 * calling wholesaler's. Locks nothing.
 * @returns undefined when the wholesaler has no such customer, or the customer is blocked
 */
export function findVerification(
  db: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<{ cornerStoreId: string; codeSalt: Buffer | null } | undefined> {
  return queryRow<{ cornerStoreId: string; codeSalt: Buffer | null }>(
    db,
    `SELECT s.id AS "cornerStoreId",
            (SELECT code_salt FROM verifications
              WHERE id = $3 AND user_id = $2 AND wholesaler_id = $1)
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
      WHERE s.user_id = $2 AND s.blocked_at IS NULL`,
    [wholesalerId, userId, verificationId],
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
 * @returns undefined when the user does not exist, is blocked or another wholesaler's
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
      WHERE s.user_id = $2 AND s.blocked_at IS NULL
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId],
  );
}
