import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { findLiveMessagesEndpoint } from '@fiado/chassis/outbox/sms-rows';
import { defaultErrorShape, ValidationError } from '@fiado/contracts/errors';
import { BATCH_MAX_VALUES, BATCH_BODY_LIMIT } from '@fiado/contracts/body-limits';
import { checkAccountCodeCall, openAccountLinkCall } from '@fiado/contracts/account-link';
import { snapshotsCall } from '@fiado/contracts/corner-store';
import { checkCredentialCall } from '@fiado/contracts/credential';
import { firstNameInitialCall } from '@fiado/contracts/first-name-initial';
import {
  kycConsentCall,
  openKycLinkCall,
  type KycStep,
  kycStepCall,
  type KycStepAnswer,
} from '@fiado/contracts/kyc-link';
import { refusedCredentialsCall } from '@fiado/contracts/refused-credentials';
import type { Context } from '../context';
import { auditRefusedCallers } from '../db/refused-credentials.repository';
import { checkAccountCode } from '../use-cases/check-account-code';
import { consentByLink } from '../use-cases/consent-by-link';
import { openAccountLink } from '../use-cases/open-account-link';
import { answerSnapshots } from '../use-cases/answer-snapshots';
import { checkCredential } from '../use-cases/check-credential';
import { firstNameInitial } from '../use-cases/first-name-initial';
import { openKycLink } from '../use-cases/open-kyc-link';
import { recordStepByLink } from '../use-cases/record-step-by-link';
import { STEP_BODY_LIMITS, toldBy } from './record-onboarding-step';

export const checkCredentialEndpoint = internalEndpoint({
  call: checkCredentialCall,
  allow: ['service:gateway'],
  // The gateway logs and audits whose key it was; undefined is left out of JSON.
  errorShape: (error) => ({ ...defaultErrorShape(error), keyId: error.keyId }),
  handle: (context: Context, { credential }) => checkCredential(context, credential),
});

export const recordRefusedCredentialsEndpoint = internalEndpoint({
  call: refusedCredentialsCall,
  allow: ['service:gateway'],
  handle: async ({ db }: Context, { callers }) => {
    await db.transaction((tx) => auditRefusedCallers(tx, callers));
    return {};
  },
});

export const openKycLinkEndpoint = internalEndpoint({
  call: openKycLinkCall,
  allow: ['service:gateway'],
  handle: (context: Context, question) => openKycLink(context, question),
});

export const consentByLinkEndpoint = internalEndpoint({
  call: kycConsentCall,
  allow: ['service:gateway'],
  handle: async (context: Context, consent) => {
    await consentByLink(context, consent);
    return {};
  },
});

export const recordStepByLinkEndpoint = internalEndpoint({
  call: kycStepCall,
  allow: ['service:gateway'],
  ...STEP_BODY_LIMITS,
  handle: (context: Context, question) =>
    recordTold(context, question).catch((error: unknown): KycStepAnswer => {
      if (error instanceof ValidationError) return { outcome: 'refused' };
      throw error;
    }),
});

/** @throws ValidationError for content that recordOnboardingStep would answer with a 400 */
async function recordTold(
  context: Context,
  { token, noticeVersion, content }: KycStep,
): Promise<KycStepAnswer> {
  return recordStepByLink(context, { token, noticeVersion, content: toldBy(content).content });
}

export const answerSnapshotsEndpoint = internalEndpoint({
  call: snapshotsCall,
  allow: ['service:transactions'],
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  handle: answerSnapshots,
});

export const firstNameInitialEndpoint = internalEndpoint({
  call: firstNameInitialCall,
  allow: ['service:payments'],
  handle: firstNameInitial,
});

export const openAccountLinkEndpoint = internalEndpoint({
  call: openAccountLinkCall,
  allow: ['service:gateway'],
  handle: (context: Context, question) => openAccountLink(context, question),
});

export const checkAccountCodeEndpoint = internalEndpoint({
  call: checkAccountCodeCall,
  allow: ['service:gateway'],
  handle: (context: Context, question) => checkAccountCode(context, question),
});

/** A code, while its verification is pending. */
export const liveMessagesEndpoint = findLiveMessagesEndpoint(
  `EXISTS (SELECT FROM verifications
            WHERE id = "verificationId" AND status = 'pending')`,
);
