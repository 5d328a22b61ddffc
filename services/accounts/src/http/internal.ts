import { internalEndpoint } from '@fiado/shared/chassis/http/endpoint';
import { defaultErrorShape } from '@fiado/shared/chassis/http/error-middleware';
import { BATCH_MAX_VALUES } from '@fiado/shared/chassis/http/plain-json';
import { BATCH_BODY_LIMIT } from '@fiado/shared/contracts/body-limits';
import {
  CheckAccountCodeQuestion,
  OpenAccountLinkQuestion,
} from '@fiado/shared/contracts/account-link';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { SnapshotsQuestion } from '@fiado/shared/contracts/corner-store';
import { CredentialQuestion } from '@fiado/shared/contracts/credential';
import { FirstNameInitialQuestion } from '@fiado/shared/contracts/first-name-initial';
import {
  KycConsent,
  KycLinkQuestion,
  KycStep,
  type KycStepAnswer,
} from '@fiado/shared/contracts/kyc-link';
import { RefusedCredentials } from '@fiado/shared/contracts/refused-credentials';
import {
  LiveMessagesQuestion,
  type LiveMessagesAnswer,
} from '@fiado/shared/contracts/live-messages';
import type { Context } from '../context';
import { findLiveMessages } from '../db/live-messages.repository';
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
  path: '/internal/credentials/check',
  allow: ['service:gateway'],
  body: CredentialQuestion,
  // The gateway logs and audits whose key it was; undefined is left out of JSON.
  errorShape: (error) => ({ ...defaultErrorShape(error), keyId: error.keyId }),
  handle: (context: Context, { credential }) => checkCredential(context, credential),
});

export const recordRefusedCredentialsEndpoint = internalEndpoint({
  path: '/internal/refused-credentials',
  allow: ['service:gateway'],
  body: RefusedCredentials,
  handle: async ({ db }: Context, { callers }) => {
    await db.transaction((tx) => auditRefusedCallers(tx, callers));
    return {};
  },
});

export const openKycLinkEndpoint = internalEndpoint({
  path: '/internal/kyc-links/open',
  allow: ['service:gateway'],
  body: KycLinkQuestion,
  handle: (context: Context, question) => openKycLink(context, question),
});

export const consentByLinkEndpoint = internalEndpoint({
  path: '/internal/kyc-links/consent',
  allow: ['service:gateway'],
  body: KycConsent,
  handle: async (context: Context, consent) => {
    await consentByLink(context, consent);
    return {};
  },
});

export const recordStepByLinkEndpoint = internalEndpoint({
  path: '/internal/kyc-links/step',
  allow: ['service:gateway'],
  ...STEP_BODY_LIMITS,
  body: KycStep,
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
  path: '/internal/snapshots',
  allow: ['service:transactions'],
  bodyLimit: BATCH_BODY_LIMIT,
  maxValues: BATCH_MAX_VALUES,
  body: SnapshotsQuestion,
  handle: answerSnapshots,
});

export const firstNameInitialEndpoint = internalEndpoint({
  path: '/internal/first-name-initial',
  allow: ['service:payments'],
  body: FirstNameInitialQuestion,
  handle: firstNameInitial,
});

export const openAccountLinkEndpoint = internalEndpoint({
  path: '/internal/account-links/open',
  allow: ['service:gateway'],
  body: OpenAccountLinkQuestion,
  handle: (context: Context, question) => openAccountLink(context, question),
});

export const checkAccountCodeEndpoint = internalEndpoint({
  path: '/internal/account-links/check',
  allow: ['service:gateway'],
  body: CheckAccountCodeQuestion,
  handle: (context: Context, question) => checkAccountCode(context, question),
});

export const liveMessagesEndpoint = internalEndpoint({
  path: '/internal/live-messages',
  allow: ['service:notifier'],
  body: LiveMessagesQuestion,
  handle: async ({ db }: Context, { messages }): Promise<LiveMessagesAnswer> => ({
    messageIds: await findLiveMessages(db, messages),
  }),
});
