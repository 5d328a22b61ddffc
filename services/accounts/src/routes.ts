import type { Endpoint } from '@fiado/chassis/http/endpoint';
import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/events';
import { collectChangeRequestEndpoint } from './approvals/collect-change-request';
import {
  approveChangeRequestEndpoint,
  rejectChangeRequestEndpoint,
} from './approvals/decide-change-request';
import {
  getChangeRequestEndpoint,
  listChangeRequestsEndpoint,
} from './approvals/show-change-requests';
import { answerKnownChangesEndpoint } from './approvals/answer-known-changes';
import { listAuditEntriesEndpoint, nameActorsEndpoint } from './audit/list-audit-entries';
import { recordVerifyRunEndpoint } from './audit/record-verify-run';
import { verifyAuditChainEndpoint } from './audit/verify-audit-chain';
import type { Context } from './context';
import { answerCustomerNamesEndpoint } from './corner-stores/answer-customer-names';
import { approveCornerStoreEndpoint } from './corner-stores/approve-corner-store';
import { revealPhoneEndpoint } from './corner-stores/reveal-phone';
import { clearPhoneHoldEndpoint } from './corner-stores/clear-phone-hold';
import {
  pauseCornerStoreEndpoint,
  resumeCornerStoreEndpoint,
} from './corner-stores/pause-corner-store';
import { createSandboxCustomerEndpoint } from './corner-stores/create-sandbox-customer';
import {
  findCornerStoreEndpoint,
  findCornerStoresEndpoint,
} from './corner-stores/find-corner-stores';
import { firstNameInitialEndpoint } from './corner-stores/first-name-initial';
import { storesOfPhonesEndpoint } from './corner-stores/stores-of-phones';
import { getCornerStoreEndpoint } from './corner-stores/get-corner-store';
import { importCustomersEndpoint } from './corner-stores/import-customers';
import { listCornerStoresEndpoint } from './corner-stores/list-corner-stores';
import { listCustomersEndpoint } from './corner-stores/list-customers';
import { rejectCornerStoreEndpoint } from './corner-stores/reject-corner-store';
import { updateCornerStoreEndpoint } from './corner-stores/update-corner-store';
import { listDocumentsEndpoint, showDocumentEndpoint } from './documents/show-documents';
import { checkCredentialEndpoint } from './keys/check-credential';
import {
  retireDataKeyEndpoint,
  rotateDataKeyEndpoint,
  showDataKeysEndpoint,
} from './keys/data-keys';
import { issueAccessTokenEndpoint } from './keys/issue-access-token';
import { issueOpsKeyEndpoint } from './keys/issue-ops-key';
import {
  issueProviderKeyEndpoint,
  issueWholesalerKeyEndpoint,
  listProviderKeysEndpoint,
  listWholesalerKeysEndpoint,
} from './keys/keys-of-party';
import { listOpsKeysEndpoint } from './keys/list-ops-keys';
import { recordRefusedCredentialsEndpoint } from './keys/record-refused-credentials';
import { revokeApiKeyEndpoint, revokeOpsKeyEndpoint } from './keys/revoke-key';
import { createAccountLinkEndpoint } from './links/create-account-link';
import { createKycLinkEndpoint } from './links/create-kyc-link';
import {
  checkVisitCodeEndpoint,
  openVisitEndpoint,
  startVisitEndpoint,
  whatsappConsentEndpoint,
} from './links/visit-account';
import {
  consentByLinkEndpoint,
  openKycLinkEndpoint,
  recordStepByLinkEndpoint,
} from './links/use-kyc-link';
import { recordOnboardingStepEndpoint } from './onboarding/record-onboarding-step';
import { checkInvariantsEndpoint, listCornerStoreSumsEndpoint } from './ops-views/check-invariants';
import { getOverviewEndpoint } from './ops-views/get-overview';
import { getTimelineEndpoint } from './ops-views/get-timeline';
import { searchByBodyEndpoint } from './ops-views/search';
import { createPaymentProviderEndpoint } from './providers/create-payment-provider';
import { issueSigningSecretEndpoint } from './providers/issue-signing-secret';
import {
  getPaymentProviderEndpoint,
  listPaymentProvidersEndpoint,
} from './providers/show-payment-providers';
import { updatePaymentProviderEndpoint } from './providers/update-payment-provider';
import { answerSnapshotsEndpoint } from './snapshots/answer-snapshots';
import {
  beginPasskeyEnrolmentEndpoint,
  enrolPasskeyEndpoint,
  openInvitationEndpoint,
  signInByInvitationEndpoint,
} from './staff/accept-invitation';
import { changeStaffRoleEndpoint } from './staff/change-staff-role';
import { disableStaffEndpoint } from './staff/disable-staff';
import { inviteStaffEndpoint } from './staff/invite-staff';
import { listStaffEndpoint } from './staff/list-staff';
import { listStaffRootsEndpoint } from './staff/list-staff-roots';
import { listOwnNoticesEndpoint } from './staff/own-notices';
import { endOwnSessionEndpoint, listOwnSessionsEndpoint } from './staff/own-sessions';
import {
  beginIdentityProviderSignInEndpoint,
  signInWithIdentityProviderEndpoint,
} from './staff/sign-in-with-identity-provider';
import {
  beginPasskeySignInEndpoint,
  signInWithPasskeyEndpoint,
} from './staff/sign-in-with-passkey';
import {
  issueStaffTokenEndpoint,
  signInWaysEndpoint,
  signOutEndpoint,
} from './staff/staff-session';
import { answerPrivacyRequestEndpoint } from './privacy/answer-privacy-request';
import { openPrivacyRequestEndpoint } from './privacy/open-privacy-request';
import { showPrivacyPackageEndpoint } from './privacy/build-packages';
import {
  getPrivacyRequestEndpoint,
  listPrivacyRequestsEndpoint,
} from './privacy/show-privacy-requests';
import { verifyErasureEndpoint } from './privacy/verify-erasure';
import {
  answerTaxProfileEndpoint,
  getStoreTaxProfileEndpoint,
  getTaxProfileEndpoint,
  removeStoreTaxProfileEndpoint,
  removeTaxProfileEndpoint,
  setStoreTaxProfileEndpoint,
  setTaxProfileEndpoint,
  visitTaxProfileEndpoint,
} from './tax-profiles/tax-profiles';
import { changePhoneEndpoint } from './verification/change-phone';
import { confirmVerificationEndpoint } from './verification/confirm-verification';
import { resendCodeEndpoint } from './verification/resend-code';
import { liveMessagesEndpoint, startVerificationEndpoint } from './verification/start-verification';
import { unknownNumbersEndpoint } from './verification/unknown-numbers';
import { createWholesalerEndpoint } from './wholesalers/create-wholesaler';
import { getWholesalerEndpoint, listWholesalersEndpoint } from './wholesalers/show-wholesalers';
import { updateWholesalerEndpoint } from './wholesalers/update-wholesaler';

/** The endpoints of accounts: those that services call, then credentials, accounts and ops. */
export const routes: Array<Endpoint<Context>> = [
  liveMessagesEndpoint,
  unknownNumbersEndpoint,
  checkCredentialEndpoint,
  recordRefusedCredentialsEndpoint,
  openKycLinkEndpoint,
  consentByLinkEndpoint,
  recordStepByLinkEndpoint,
  startVisitEndpoint,
  openVisitEndpoint,
  whatsappConsentEndpoint,
  checkVisitCodeEndpoint,
  answerSnapshotsEndpoint,
  answerKnownChangesEndpoint,
  firstNameInitialEndpoint,
  storesOfPhonesEndpoint,
  answerCustomerNamesEndpoint,
  answerTaxProfileEndpoint,
  visitTaxProfileEndpoint,
  nameActorsEndpoint,
  signInWaysEndpoint,
  openInvitationEndpoint,
  beginPasskeyEnrolmentEndpoint,
  enrolPasskeyEndpoint,
  signInByInvitationEndpoint,
  beginPasskeySignInEndpoint,
  signInWithPasskeyEndpoint,
  beginIdentityProviderSignInEndpoint,
  signInWithIdentityProviderEndpoint,
  issueStaffTokenEndpoint,
  signOutEndpoint,
  listStaffEndpoint,
  listStaffRootsEndpoint,
  inviteStaffEndpoint,
  changeStaffRoleEndpoint,
  disableStaffEndpoint,
  listOwnSessionsEndpoint,
  listOwnNoticesEndpoint,
  endOwnSessionEndpoint,
  issueAccessTokenEndpoint,
  issueWholesalerKeyEndpoint,
  issueProviderKeyEndpoint,
  listWholesalerKeysEndpoint,
  listProviderKeysEndpoint,
  revokeApiKeyEndpoint,
  issueOpsKeyEndpoint,
  listOpsKeysEndpoint,
  listAuditEntriesEndpoint,
  revokeOpsKeyEndpoint,
  showDataKeysEndpoint,
  rotateDataKeyEndpoint,
  retireDataKeyEndpoint,
  startVerificationEndpoint,
  resendCodeEndpoint,
  confirmVerificationEndpoint,
  recordOnboardingStepEndpoint,
  createKycLinkEndpoint,
  createAccountLinkEndpoint,
  changePhoneEndpoint,
  setTaxProfileEndpoint,
  getTaxProfileEndpoint,
  removeTaxProfileEndpoint,
  findCornerStoreEndpoint,
  findCornerStoresEndpoint,
  createWholesalerEndpoint,
  listWholesalersEndpoint,
  getWholesalerEndpoint,
  updateWholesalerEndpoint,
  importCustomersEndpoint,
  listCustomersEndpoint,
  createPaymentProviderEndpoint,
  listPaymentProvidersEndpoint,
  getPaymentProviderEndpoint,
  updatePaymentProviderEndpoint,
  issueSigningSecretEndpoint,
  getOverviewEndpoint,
  listCornerStoresEndpoint,
  getCornerStoreEndpoint,
  getTimelineEndpoint,
  searchByBodyEndpoint,
  listDocumentsEndpoint,
  showDocumentEndpoint,
  updateCornerStoreEndpoint,
  approveCornerStoreEndpoint,
  rejectCornerStoreEndpoint,
  clearPhoneHoldEndpoint,
  pauseCornerStoreEndpoint,
  resumeCornerStoreEndpoint,
  revealPhoneEndpoint,
  setStoreTaxProfileEndpoint,
  getStoreTaxProfileEndpoint,
  removeStoreTaxProfileEndpoint,
  verifyAuditChainEndpoint,
  recordVerifyRunEndpoint,
  listChangeRequestsEndpoint,
  getChangeRequestEndpoint,
  approveChangeRequestEndpoint,
  rejectChangeRequestEndpoint,
  collectChangeRequestEndpoint,
  openPrivacyRequestEndpoint,
  showPrivacyPackageEndpoint,
  verifyErasureEndpoint,
  listPrivacyRequestsEndpoint,
  getPrivacyRequestEndpoint,
  answerPrivacyRequestEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  changeEventSettingsEndpoint,
  createSandboxCustomerEndpoint,
];
