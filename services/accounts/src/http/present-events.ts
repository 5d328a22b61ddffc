import type { EventPresenters } from '@fiado/chassis/outbox/announce';
import { amountOf } from '@fiado/contracts/money';
import type { CustomerRow } from '../db/corner-stores.repository';
import { shownStatus } from '../domain/corner-store';

/** The objects of this service's events, from what the triggers of its schema wrote. */
export const accountsEvents: EventPresenters = {
  'verification.approved': presentWrittenVerification,
  'onboarding.completed': presentWrittenCornerStore,
  'corner-store.status-changed': presentWrittenCornerStore,
  'corner-store.limit-changed': presentWrittenCornerStore,
};

/** With the limit instead of the available credit, which only transactions knows. */
function presentWrittenCornerStore(store: CustomerRow): object {
  return {
    externalId: store.externalId,
    userId: store.userId,
    cornerStoreId: store.cornerStoreId,
    status: shownStatus(store.status, store.overdue),
    creditLimit: amountOf(store.creditLimitCents),
    interestRate: Number(store.interestRate),
  };
}

function presentWrittenVerification(verification: {
  verificationId: string;
  userId: string;
}): object {
  const { verificationId, userId } = verification;
  return { verificationId, userId, verificationStatus: 'approved' };
}
