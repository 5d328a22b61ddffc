import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import type { Caller } from '@fiado/contracts/caller';
import { ValidationError } from '@fiado/contracts/errors';
import {
  type KycConsent,
  kycConsentCall,
  type KycStep,
  type KycStepAnswer,
  kycStepCall,
  openKycLinkCall,
  takesStep,
  type KycLinkAnswer,
} from '@fiado/contracts/kyc-link';
import { recordAudit } from '../audit/audit-log';
import type { Context } from '../context';
import { PURPOSE } from '../db/purposes';
import { hashOfToken } from '../keys/secrets';
import { progressOf } from '../onboarding/onboarding.rules';
import { recordOnboardingStep, STEP_BODY_LIMITS } from '../onboarding/record-onboarding-step';
import { recordConsent } from '../privacy/consents';
import { contentOf, type StepContent } from '../onboarding/step-content';
import type { VerificationRow } from '../verification/verification.entity';
import type { CornerStoreRow } from '../corner-stores/corner-store.entity';
import type { UserRow } from '../corner-stores/user.entity';

/** Life of a link: a day to find the SMS or mail that it came in. */
export const KYC_LINK_LIFE_MS = 24 * 3600 * 1000;

export const openKycLinkEndpoint = internalEndpoint({
  call: openKycLinkCall,
  allow: ['service:gateway'],
  // The content of a link's page: the first name and the missing steps, and nothing that identifies
  // a person.
  handle: async ({ db, sealer }: Context, { token, noticeVersion }): Promise<KycLinkAnswer> => {
    const opened = await openLink(db, hashOfToken(token), noticeVersion ?? null);
    if (opened === undefined) return { valid: false };
    return {
      valid: true,
      wholesalerId: opened.wholesalerId,
      firstName: sealer.open(opened.firstName, PURPOSE.firstName, opened.userId),
      status: opened.status,
      missingSteps: progressOf(opened.steps).missingSteps,
      consented: opened.consented,
    };
  },
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
  return recordStepByLink(context, { token, noticeVersion, content: contentOf(content) });
}

/**
 * Keeps that the owner of a corner store consented to a version of the privacy notice, and when. A
 * link that has ended changes nothing.
 */
async function consentByLink(
  context: Context,
  { token, noticeVersion, noticeUrl }: KycConsent,
): Promise<void> {
  const { db } = context;
  const link = await openLink(db, hashOfToken(token), noticeVersion);
  if (link === undefined) return;
  const { userId, verificationId, wholesalerId, cornerStoreId, kycLinkId } = link;
  await db.transaction(async (tx) => {
    const isFirst = await recordConsent(context, tx, {
      userId,
      verificationId,
      noticeVersion,
      noticeUrl,
      purposes: ['necessary'],
      channel: 'link',
    });
    if (!isFirst) return;
    await recordAudit(tx, {
      by: linkCaller(wholesalerId),
      action: 'onboarding.consented',
      objectId: cornerStoreId,
      details: { noticeVersion, kycLinkId },
    });
  });
}

interface RecordStepByLink {
  token: string;
  /** Version of the privacy notice that the owner must have consented to. */
  noticeVersion: string;
  content: StepContent;
}

/**
 * Records one onboarding step by the link of an identity check, on behalf of the wholesaler that
 * made the link: its limits count the images.
 * @throws AppError and ValidationError as recordOnboardingStep
 */
async function recordStepByLink(
  context: Context,
  { token, noticeVersion, content }: RecordStepByLink,
): Promise<KycStepAnswer> {
  const link = await openLink(context.db, hashOfToken(token), noticeVersion);
  if (link === undefined) return { outcome: 'not-taken' };
  const { missingSteps } = progressOf(link.steps);
  if (!takesStep({ ...link, missingSteps }, content.step)) return { outcome: 'not-taken' };
  const { userId, verificationId, wholesalerId, kycLinkId } = link;
  const { warnings } = await recordOnboardingStep(
    context,
    { by: linkCaller(wholesalerId), userId, verificationId, content, kycLinkId },
    () => undefined,
  );
  return {
    outcome: 'recorded',
    ...(warnings.includes('narrow') && { isSmall: true }),
    ...(warnings.includes('blurred') && { isBlurred: true }),
  };
}

/** In whose name the owner acts who opened a link: the wholesaler's that made it. */
function linkCaller(wholesalerId: string): Caller {
  return { kind: 'wholesaler', id: wholesalerId, name: 'kyc-link', scopes: [] };
}

/** The store and the progress of the page behind a link. */
interface OpenedLink extends Pick<VerificationRow, 'wholesalerId'>, Pick<CornerStoreRow, 'status'> {
  kycLinkId: string;
  verificationId: VerificationRow['id'];
  cornerStoreId: CornerStoreRow['id'];
  userId: UserRow['id'];
  firstName: NonNullable<UserRow['firstName']>;
  steps: CornerStoreRow['onboardingSteps'];
  consented: boolean;
}

/**
 * @param noticeVersion of the privacy notice that `consented` is about
 * @returns undefined for a link that is unknown or past its life
 */
function openLink(
  db: Db,
  tokenHash: Buffer,
  noticeVersion: string | null,
): Promise<OpenedLink | undefined> {
  return queryRow<OpenedLink>(
    db,
    `SELECT k.id AS "kycLinkId", v.id AS "verificationId", v.wholesaler_id AS "wholesalerId",
            s.id AS "cornerStoreId", u.id AS "userId", u.first_name, s.status,
            s.onboarding_steps AS steps,
            -- By the user: the index of verifications is of consents that are not withdrawn.
            EXISTS (SELECT FROM consents
                     WHERE user_id = v.user_id AND verification_id = v.id AND notice_version = $2)
              AS consented
       FROM kyc_links k
       JOIN verifications v ON v.id = k.verification_id
       JOIN users u ON u.id = v.user_id
       JOIN corner_stores s ON s.user_id = u.id
      WHERE k.token_hash = $1 AND k.expires_at > now()`,
    [tokenHash, noticeVersion],
  );
}
