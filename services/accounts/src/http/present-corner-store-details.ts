import { amountOf } from '@fiado/shared/money';
import type { Context } from '../context';
import type { CornerStoreDetails } from '../db/corner-store-details.repository';
import { shownStatus } from '../domain/corner-store';
import { progressOf, type CornerStoreInformation } from '../domain/onboarding';
import { PURPOSE } from '../domain/sealing-purposes';

/** A corner store as ops sees it, who has to know whom it approves. */
export function presentCornerStoreDetails({ sealer }: Context, store: CornerStoreDetails): object {
  const { completedSteps, missingSteps } = progressOf(store.onboardingSteps);
  const information =
    store.information === null
      ? null
      : (JSON.parse(sealer.open(store.information, PURPOSE.information)) as CornerStoreInformation);
  return {
    cornerStoreId: store.cornerStoreId,
    userId: store.userId,
    status: shownStatus(store.status, store.overdue),
    creditLimit: amountOf(store.creditLimitCents),
    interestRate: Number(store.interestRate),
    rejectionReason: store.rejectionReason,
    firstName: sealer.open(store.firstName, PURPOSE.firstName),
    lastNames: sealer.open(store.lastNames, PURPOSE.lastNames),
    phoneNumber: sealer.open(store.phone, PURPOSE.phone),
    cornerStoreName: store.name === null ? null : sealer.open(store.name, PURPOSE.cornerStoreName),
    information: information === null ? null : presentInformation(information),
    completedSteps,
    missingSteps,
    customers: store.customers.map(({ wholesalerId, externalId }) => ({
      wholesalerId,
      externalId,
    })),
    createdAt: store.createdAt.toISOString(),
  };
}

function presentInformation(information: CornerStoreInformation): object {
  return {
    cornerStoreType: information.cornerStoreType,
    businessLifetime: information.businessLifetime,
    ownershipStatus: information.ownershipStatus,
    cornerStoreAddress: information.cornerStoreAddress,
    localeOwner: information.localeOwner,
  };
}
