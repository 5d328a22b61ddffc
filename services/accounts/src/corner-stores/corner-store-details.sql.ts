import type { Db } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import type { CustomerLink } from '@fiado/contracts/corner-store';
import { pendingChangeOf } from '../approvals/change-requests.sql';
import { PHONE_CHANGES } from '../snapshots/snapshots.sql';
import type { CornerStoreRow } from './corner-store.entity';
import type { UserRow } from './user.entity';

/** ISO 8601 in UTC; null when nothing is held. */
export interface ShownCustomerLink extends Pick<CustomerLink, 'wholesalerId' | 'externalId'> {
  phoneHeldUntil: string | null;
}

/** A corner store as ops sees it; personal data is still sealed. */
export interface CornerStoreDetails
  extends
    Pick<
      CornerStoreRow,
      | 'userId'
      | 'status'
      | 'overdue'
      | 'creditLimitCents'
      | 'interestRate'
      | 'rejectionReason'
      | 'information'
      | 'onboardingSteps'
      | 'pause'
    >,
    Pick<UserRow, 'lastNames' | 'phone'> {
  cornerStoreId: CornerStoreRow['id'];
  /** Why an incomplete store was approved. */
  approvalReason: CornerStoreRow['approvalReason'];
  /** Null also of a key, and while it is not paused. */
  pausedByName: string | null;
  pendingChange: PendingChange | null;
  /** Null: the installation's. */
  timeZone: CornerStoreRow['timeZone'];
  /** Null once its owner is erased, as name and information. */
  firstName: UserRow['firstName'];
  /** Sealed too; null until it is sent. */
  name: CornerStoreRow['name'];
  customers: ShownCustomerLink[];
  createdAt: Date;
  /** When its owner was blocked; null while they are not. */
  blockedAt: CornerStoreRow['blockedAt'];
  /** When the data of its owner were erased; null while they are kept. */
  erasedAt: CornerStoreRow['erasedAt'];
  /** The same moment, exact: microseconds since 1970. */
  createdMicros: number;
}

export const SELECT_DETAILS = `
  SELECT s.id AS "cornerStoreId", s.user_id, s.status, s.overdue, s.credit_limit_cents,
         s.interest_rate, s.rejection_reason, s.approval_reason, s.time_zone, u.first_name, u.last_names, u.phone, s.name,
         s.information, s.onboarding_steps, s.created_at, s.blocked_at, s.erased_at,
         s.pause, (SELECT name FROM staff WHERE id::text = s.pause ->> 'by') AS "pausedByName",
         (extract(epoch FROM s.created_at) * 1000000)::bigint AS "createdMicros",
         ${pendingChangeOf('s.id', ['corner-store.terms', 'corner-store.resume'])},
         (SELECT coalesce(json_agg(json_build_object(
                   'wholesalerId', c.wholesaler_id, 'externalId', c.external_id,
                   'phoneHeldUntil', CASE WHEN change.held_until > now()
                                          THEN change.held_until END)
                   ORDER BY c.created_at, c.wholesaler_id), '[]')
            FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
           WHERE c.corner_store_id = s.id) AS customers
    FROM corner_stores s JOIN users u ON u.id = s.user_id`;

/** @throws Error when it does not exist: the caller has just locked it */
export function cornerStoreDetails(tx: Db, cornerStoreId: string): Promise<CornerStoreDetails> {
  return queryOne<CornerStoreDetails>(tx, `${SELECT_DETAILS} WHERE s.id = $1`, [cornerStoreId]);
}
