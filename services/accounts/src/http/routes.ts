import { BATCH_MAX_VALUES } from '@fiado/shared/chassis/http/plain-json';
import type { Route } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { adminRoutes } from './admin-routes';
import { handleAnswerSnapshots } from './answer-snapshots';
import { handleChangePhone } from './change-phone';
import { handleCheckCredential } from './check-credential';
import { handleConfirmVerification } from './confirm-verification';
import { handleCreateKycLink } from './create-kyc-link';
import { handleFindCornerStore } from './find-corner-store';
import { handleFindCornerStores } from './find-corner-stores';
import { handleIssueAccessToken } from './issue-access-token';
import { handleIssueApiKey } from './issue-api-key';
import { handleOpenKycLink } from './open-kyc-link';
import { handleRecordOnboardingStep } from './record-onboarding-step';
import { handleResendCode } from './resend-code';
import { handleRevokeApiKey } from './revoke-api-key';
import { handleStartVerification } from './start-verification';
import * as accounts from './operations/accounts';
import * as cornerStores from './operations/corner-stores';
import * as credentials from './operations/credentials';

const ADMIN = '/v1/admin';
const VERIFICATION = '/v1/account/:userId/verification';
/** Values in a step's body: an image is one text, and no step has more than a dozen fields. */
const ONBOARDING_MAX_VALUES = 1_000;

/** The route table. */
export function routes(context: Context): Route[] {
  return [
    ...internalRoutes(context),
    ...credentialRoutes(context),
    ...accountRoutes(context),
    ...adminRoutes(context),
  ];
}

function internalRoutes(context: Context): Route[] {
  return [
    {
      method: 'post',
      path: '/internal/credentials/check',
      allow: ['service'],
      handle: handleCheckCredential(context),
    },
    {
      method: 'post',
      path: '/internal/kyc-links/open',
      allow: ['service'],
      handle: handleOpenKycLink(context),
    },
    {
      method: 'post',
      path: '/internal/snapshots',
      allow: ['service'],
      bodyLimit: '2mb',
      maxValues: BATCH_MAX_VALUES,
      handle: handleAnswerSnapshots(context),
    },
  ];
}

function credentialRoutes(context: Context): Route[] {
  return [
    {
      method: 'post',
      path: '/v1/auth/token',
      allow: ['wholesaler', 'provider', 'ops'],
      operation: credentials.issueAccessToken,
      handle: handleIssueAccessToken(context),
    },
    {
      method: 'post',
      path: `${ADMIN}/wholesalers/:wholesalerId/api-keys`,
      allow: ['ops'],
      operation: credentials.issueWholesalerKey,
      handle: handleIssueApiKey(context, 'wholesaler'),
    },
    {
      method: 'post',
      path: `${ADMIN}/payment-providers/:paymentProviderId/api-keys`,
      allow: ['ops'],
      operation: credentials.issueProviderKey,
      handle: handleIssueApiKey(context, 'provider'),
    },
    {
      method: 'delete',
      path: `${ADMIN}/api-keys/:apiKeyId`,
      allow: ['ops'],
      operation: credentials.revokeApiKey,
      handle: handleRevokeApiKey(context),
    },
  ];
}

function accountRoutes(context: Context): Route[] {
  return [
    {
      method: 'post',
      path: VERIFICATION,
      allow: ['wholesaler'],
      scope: 'accounts:write',
      operation: accounts.startVerification,
      handle: handleStartVerification(context),
    },
    {
      method: 'post',
      path: `${VERIFICATION}/:verificationId`,
      allow: ['wholesaler'],
      scope: 'accounts:write',
      operation: accounts.resendCode,
      handle: handleResendCode(context),
    },
    {
      method: 'put',
      path: `${VERIFICATION}/:verificationId`,
      allow: ['wholesaler'],
      scope: 'accounts:write',
      operation: accounts.confirmVerification,
      handle: handleConfirmVerification(context),
    },
    {
      method: 'put',
      path: `${VERIFICATION}/:verificationId/onboarding`,
      allow: ['wholesaler'],
      scope: 'accounts:write',
      bodyLimit: '8mb',
      maxValues: ONBOARDING_MAX_VALUES,
      operation: accounts.recordOnboardingStep,
      handle: handleRecordOnboardingStep(context),
    },
    {
      method: 'post',
      path: '/v1/link/kyc',
      allow: ['wholesaler'],
      scope: 'accounts:write',
      operation: accounts.createKycLink,
      handle: handleCreateKycLink(context),
    },
    {
      method: 'put',
      path: '/v1/account/:userId',
      allow: ['wholesaler'],
      scope: 'accounts:write',
      operation: accounts.changePhone,
      handle: handleChangePhone(context),
    },
    {
      method: 'get',
      path: '/v1/corner-store/external/:externalId',
      allow: ['wholesaler'],
      scope: 'corner-stores:read',
      operation: cornerStores.findCornerStore,
      handle: handleFindCornerStore(context),
    },
    {
      method: 'post',
      path: '/v1/corner-store/external',
      allow: ['wholesaler'],
      scope: 'corner-stores:read',
      bodyLimit: '2mb',
      operation: cornerStores.findCornerStores,
      handle: handleFindCornerStores(context),
    },
  ];
}
