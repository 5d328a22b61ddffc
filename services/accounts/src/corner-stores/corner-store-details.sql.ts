import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { PendingChange } from '@fiado/contracts/change-requests';
import type { CornerStoreStatus, CustomerLink } from '@fiado/contracts/corner-store';
import type { OnboardingStep } from '@fiado/contracts/onboarding';
import { pendingChangeOf } from '../approvals/change-requests.sql';
import { PHONE_CHANGES } from '../snapshots/snapshots.sql';
import type { ShownStatus } from './corner-store.rules';

/** ISO 8601 in UTC; null when nothing is held. */
export interface ShownCustomerLink extends Pick<CustomerLink, 'wholesalerId' | 'externalId'> {
  phoneHeldUntil: string | null;
}

/** A corner store as ops sees it; personal data is still sealed. */
export interface CornerStoreDetails {
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  creditLimitCents: number;
  interestRate: string;
  rejectionReason: string | null;
  /** Why an incomplete store was approved. */
  approvalReason: string | null;
  pendingChange: PendingChange | null;
  /** Null: the installation's. */
  timeZone: string | null;
  firstName: Buffer;
  lastNames: Buffer;
  phone: Buffer;
  /** Sealed too; null until it is sent. */
  name: Buffer | null;
  information: Buffer | null;
  onboardingSteps: OnboardingStep[];
  customers: ShownCustomerLink[];
  createdAt: Date;
  /** The same moment, exact: microseconds since 1970. */
  createdMicros: number;
}

const SELECT_DETAILS = `
  SELECT s.id AS "cornerStoreId", s.user_id, s.status, s.overdue, s.credit_limit_cents,
         s.interest_rate, s.rejection_reason, s.approval_reason, s.time_zone, u.first_name, u.last_names, u.phone, s.name,
         s.information, s.onboarding_steps, s.created_at,
         (extract(epoch FROM s.created_at) * 1000000)::bigint AS "createdMicros",
         ${pendingChangeOf('s.id', ['corner-store.terms'])},
         (SELECT coalesce(json_agg(json_build_object(
                   'wholesalerId', c.wholesaler_id, 'externalId', c.external_id,
                   'phoneHeldUntil', CASE WHEN change.held_until > now()
                                          THEN change.held_until END)
                   ORDER BY c.created_at, c.wholesaler_id), '[]')
            FROM customers c CROSS JOIN LATERAL (${PHONE_CHANGES}) change
           WHERE c.corner_store_id = s.id) AS customers
    FROM corner_stores s JOIN users u ON u.id = s.user_id`;

/** @returns undefined when it does not exist */
export function findCornerStoreDetails(
  db: Db,
  cornerStoreId: string,
): Promise<CornerStoreDetails | undefined> {
  return queryRow<CornerStoreDetails>(db, `${SELECT_DETAILS} WHERE s.id = $1`, [cornerStoreId]);
}

/** @throws Error when it does not exist: the caller has just locked it */
export function cornerStoreDetails(tx: Db, cornerStoreId: string): Promise<CornerStoreDetails> {
  return queryOne<CornerStoreDetails>(tx, `${SELECT_DETAILS} WHERE s.id = $1`, [cornerStoreId]);
}

/** Where a page of the list begins: after this store. */
export interface Cursor {
  createdMicros: number;
  cornerStoreId: string;
}

export interface DetailsFilter {
  status: ShownStatus | undefined;
  wholesalerId: string | undefined;
  /** Only those whose changed phone holds orders now. */
  phoneHeld: boolean;
  after: Cursor | undefined;
  limit: number;
}

/** Added only on request: with an OR, the planner would read all corner stores. */
const WITH_HELD_PHONE =
  'AND s.id IN (SELECT corner_store_id FROM phone_changes WHERE held_until > now())';

/** Corner stores, newest first. */
export function listCornerStoreDetails(
  db: Db,
  { status, wholesalerId, phoneHeld, after, limit }: DetailsFilter,
): Promise<CornerStoreDetails[]> {
  return query<CornerStoreDetails>(
    db,
    `${SELECT_DETAILS}
      -- The CASE is that of the index corner_stores_of_status.
      WHERE ($1::text IS NULL
             OR $1 = CASE WHEN s.status = 'approved' AND s.overdue THEN 'in-payment-default'
                          ELSE s.status END)
        AND ($2::uuid IS NULL
             OR EXISTS (SELECT FROM customers c
                         WHERE c.corner_store_id = s.id AND c.wholesaler_id = $2))
        ${phoneHeld ? WITH_HELD_PHONE : ''}
        AND ($3::bigint IS NULL
             OR (s.created_at, s.id)
                < ('epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4::uuid))
      ORDER BY s.created_at DESC, s.id DESC LIMIT $5`,
    [
      status ?? null,
      wholesalerId ?? null,
      after?.createdMicros ?? null,
      after?.cornerStoreId ?? null,
      limit,
    ],
  );
}
