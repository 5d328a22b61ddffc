import { AuditEntryRow } from '../audit/audit-entry.entity';
import { CornerStoreRow } from '../corner-stores/corner-store.entity';
import { UserRow } from '../corner-stores/user.entity';
import { ApiKeyRow } from '../keys/api-key.entity';
import { OpsKeyRow } from '../keys/ops-key.entity';
import { AccountVisitRow } from '../links/account-visit.entity';
import { OnboardingDocumentRow } from '../onboarding/onboarding-document.entity';
import { ConsentRow } from '../privacy/consent.entity';
import { ErasureRow } from '../privacy/erasure.entity';
import { PrivacyRequestRow } from '../privacy/privacy-request.entity';
import { PaymentProviderRow } from '../providers/payment-provider.entity';
import { StaffRow } from '../staff/staff.entity';
import { PhoneChangeRow } from '../verification/phone-change.entity';
import { VerificationRow } from '../verification/verification.entity';
import { WholesalerRow } from '../wholesalers/wholesaler.entity';
import { ChangeRequestRow } from '../approvals/change-request.entity';
import { PrivacyPackageRow } from '../privacy/privacy-package.entity';
import { StaffCredentialRow } from '../staff/staff-credential.entity';
import { StaffInvitationRow } from '../staff/staff-invitation.entity';
import { StaffSessionRow } from '../staff/staff-session.entity';

/** The tables of accounts that are read and written by key. */
export const accountsEntities: Function[] = [
  AccountVisitRow,
  ApiKeyRow,
  AuditEntryRow,
  ChangeRequestRow,
  ConsentRow,
  CornerStoreRow,
  ErasureRow,
  OnboardingDocumentRow,
  OpsKeyRow,
  PaymentProviderRow,
  PhoneChangeRow,
  PrivacyPackageRow,
  PrivacyRequestRow,
  StaffCredentialRow,
  StaffInvitationRow,
  StaffRow,
  StaffSessionRow,
  UserRow,
  VerificationRow,
  WholesalerRow,
];
