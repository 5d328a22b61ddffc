import { changeEventSettingsEndpoint } from '@fiado/chassis/outbox/announce';
import type { Endpoint } from '@fiado/chassis/http/endpoint';
import type { Context } from '../context';
import { approveCornerStoreEndpoint } from './approve-corner-store';
import { changeStaffRoleEndpoint } from './change-staff-role';
import { collectChangeRequestEndpoint } from './collect-change-request';
import { approveChangeRequestEndpoint, rejectChangeRequestEndpoint } from './decide-change-request';
import { getChangeRequestEndpoint } from './get-change-request';
import { listChangeRequestsEndpoint } from './list-change-requests';
import { changePhoneEndpoint } from './change-phone';
import { clearPhoneHoldEndpoint } from './clear-phone-hold';
import { confirmVerificationEndpoint } from './confirm-verification';
import { createAccountLinkEndpoint } from './create-account-link';
import { createKycLinkEndpoint } from './create-kyc-link';
import { createPaymentProviderEndpoint } from './create-payment-provider';
import { createSandboxCustomerEndpoint } from './create-sandbox-customer';
import { createWholesalerEndpoint } from './create-wholesaler';
import { disableStaffEndpoint } from './disable-staff';
import { endOwnSessionEndpoint } from './end-own-session';
import { findCornerStoreEndpoint } from './find-corner-store';
import { findCornerStoresEndpoint } from './find-corner-stores';
import { getCornerStoreEndpoint } from './get-corner-store';
import { getPaymentProviderEndpoint } from './get-payment-provider';
import { getTimelineEndpoint } from './get-timeline';
import { getWholesalerEndpoint } from './get-wholesaler';
import { getOverviewEndpoint } from './get-overview';
import { importCustomersEndpoint } from './import-customers';
import {
  liveMessagesEndpoint,
  answerSnapshotsEndpoint,
  checkAccountCodeEndpoint,
  checkCredentialEndpoint,
  consentByLinkEndpoint,
  firstNameInitialEndpoint,
  openAccountLinkEndpoint,
  openKycLinkEndpoint,
  recordRefusedCredentialsEndpoint,
  recordStepByLinkEndpoint,
} from './internal';
import { checkInvariantsEndpoint, listCornerStoreSumsEndpoint } from './invariants';
import { inviteStaffEndpoint } from './invite-staff';
import { issueAccessTokenEndpoint } from './issue-access-token';
import { issueProviderKeyEndpoint, issueWholesalerKeyEndpoint } from './issue-api-key';
import { issueOpsKeyEndpoint } from './issue-ops-key';
import { issueSigningSecretEndpoint } from './issue-signing-secret';
import { listProviderKeysEndpoint, listWholesalerKeysEndpoint } from './list-api-keys';
import { listAuditEntriesEndpoint } from './list-audit-entries';
import { listCornerStoresEndpoint } from './list-corner-stores';
import { listCustomersEndpoint } from './list-customers';
import { listDocumentsEndpoint } from './list-documents';
import { retireDataKeyEndpoint, rotateDataKeyEndpoint, showDataKeysEndpoint } from './data-keys';
import { listOpsKeysEndpoint } from './list-ops-keys';
import { listPaymentProvidersEndpoint } from './list-payment-providers';
import { listWholesalersEndpoint } from './list-wholesalers';
import { listOwnSessionsEndpoint } from './list-own-sessions';
import { listStaffEndpoint } from './list-staff';
import { recordOnboardingStepEndpoint } from './record-onboarding-step';
import { rejectCornerStoreEndpoint } from './reject-corner-store';
import { resendCodeEndpoint } from './resend-code';
import { revokeApiKeyEndpoint, revokeOpsKeyEndpoint } from './revoke-key';
import { signInEndpoints } from './sign-in';
import { searchByBodyEndpoint, searchEndpoint } from './search';
import { showDocumentEndpoint } from './show-document';
import { startVerificationEndpoint } from './start-verification';
import { updateCornerStoreEndpoint } from './update-corner-store';
import { updatePaymentProviderEndpoint } from './update-payment-provider';
import { updateWholesalerEndpoint } from './update-wholesaler';
import { verifyAuditChainEndpoint } from './verify-audit-chain';

/** The endpoints of accounts: those that services call, then credentials, accounts and ops. */
export const routes: Array<Endpoint<Context>> = [
  liveMessagesEndpoint,
  checkCredentialEndpoint,
  recordRefusedCredentialsEndpoint,
  openKycLinkEndpoint,
  consentByLinkEndpoint,
  recordStepByLinkEndpoint,
  openAccountLinkEndpoint,
  checkAccountCodeEndpoint,
  answerSnapshotsEndpoint,
  firstNameInitialEndpoint,
  ...signInEndpoints,
  listStaffEndpoint,
  inviteStaffEndpoint,
  changeStaffRoleEndpoint,
  disableStaffEndpoint,
  listOwnSessionsEndpoint,
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
  searchEndpoint,
  listDocumentsEndpoint,
  showDocumentEndpoint,
  updateCornerStoreEndpoint,
  approveCornerStoreEndpoint,
  rejectCornerStoreEndpoint,
  clearPhoneHoldEndpoint,
  verifyAuditChainEndpoint,
  listChangeRequestsEndpoint,
  getChangeRequestEndpoint,
  approveChangeRequestEndpoint,
  rejectChangeRequestEndpoint,
  collectChangeRequestEndpoint,
  checkInvariantsEndpoint,
  listCornerStoreSumsEndpoint,
  changeEventSettingsEndpoint,
  createSandboxCustomerEndpoint,
];
