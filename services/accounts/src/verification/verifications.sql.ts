import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import type { VerificationRow } from './verification.entity';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';

/** A verification that the calling wholesaler began, with its user's store locked. */
export interface LockedVerification
  extends Pick<VerificationRow, 'phoneIndex'>, Pick<CornerStoreRow, 'userId'> {
  verificationId: VerificationRow['id'];
  phone: NonNullable<VerificationRow['phone']>;
  cornerStoreId: CornerStoreRow['id'];
  cornerStoreStatus: CornerStoreRow['status'];
  /** Whether its code, or another code of the user, was confirmed. */
  isApproved: boolean;
  /** Whether its code takes no more checks, or has expired. */
  isCodeOver: boolean;
  /** Whether the lender has paused the store. */
  isPaused: boolean;
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
            s.user_id, s.id AS "cornerStoreId", s.status AS "cornerStoreStatus",
            EXISTS (SELECT FROM verifications a WHERE a.user_id = s.user_id AND a.status = 'approved')
              AS "isApproved",
            v.checks >= ${MAX_CHECKS} OR v.expires_at <= now() AS "isCodeOver",
            s.pause IS NOT NULL AS "isPaused"
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
       JOIN verifications v ON v.user_id = s.user_id AND v.wholesaler_id = $1
      WHERE s.user_id = $2 AND v.id = $3 AND s.blocked_at IS NULL
        -- Order of locks: store before verification, as when a new one cancels this one.
        FOR NO KEY UPDATE OF s`,
    [wholesalerId, userId, verificationId],
  );
}

/** A verification that is about to be used. */
export interface FoundVerification {
  cornerStoreId: CornerStoreRow['id'];
  /** Null when the verification is not the calling wholesaler's. */
  codeSalt: VerificationRow['codeSalt'] | null;
  /** Whether its phone is that of a person whose data are blocked. */
  isOfBlockedPhone: boolean;
}

/**
 * The user's corner store, and the verification of the calling wholesaler. Locks nothing.
 * @returns undefined when the wholesaler has no such customer, or the customer is blocked
 */
export function findVerification(
  db: Db,
  wholesalerId: string,
  { userId, verificationId }: { userId: string; verificationId: string },
): Promise<FoundVerification | undefined> {
  return queryRow<FoundVerification>(
    db,
    `SELECT s.id AS "cornerStoreId", v.code_salt,
            EXISTS (SELECT FROM users owner JOIN corner_stores blocked ON blocked.user_id = owner.id
                     WHERE owner.phone_index = v.phone_index AND blocked.blocked_at IS NOT NULL)
              AS "isOfBlockedPhone"
       FROM corner_stores s
       JOIN customers c ON c.corner_store_id = s.id AND c.wholesaler_id = $1
       LEFT JOIN verifications v ON v.id = $3 AND v.user_id = s.user_id AND v.wholesaler_id = $1
      WHERE s.user_id = $2 AND s.blocked_at IS NULL`,
    [wholesalerId, userId, verificationId],
  );
}

/** A user that the calling wholesaler has as its customer, with its store locked. */
export interface LockedUser extends Pick<CornerStoreRow, 'userId' | 'status'> {
  cornerStoreId: CornerStoreRow['id'];
}

/**
 * Locks the corner store of a wholesaler’s customer. Every change of a store, its verifications or its user’s phone
 * takes this lock first.
 * @returns undefined when the user does not exist, is blocked or another wholesaler’s
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
