import { takesStep, type KycStepAnswer } from '@fiado/contracts/kyc-link';
import type { Context } from '../context';
import { openLink } from '../db/kyc-links.repository';
import { linkCaller } from '../domain/kyc-link';
import { hashOfToken } from '../domain/secret-token';
import { progressOf } from '../domain/onboarding';
import { recordOnboardingStep, type StepContent } from './record-onboarding-step';

export interface RecordStepByLink {
  token: string;
  /** Of the privacy notice that the owner must have consented to. */
  noticeVersion: string;
  content: StepContent;
}

/**
 * Records one onboarding step by the link of an identity check, on behalf of the wholesaler that
 * made the link: its limits count the images.
 * @throws AppError and ValidationError as recordOnboardingStep
 */
export async function recordStepByLink(
  context: Context,
  { token, noticeVersion, content }: RecordStepByLink,
): Promise<KycStepAnswer> {
  const link = await openLink(context.db, hashOfToken(token), noticeVersion);
  if (link === undefined) return { outcome: 'not-taken' };
  const { missingSteps } = progressOf(link.steps);
  if (!takesStep({ ...link, missingSteps }, content.step)) return { outcome: 'not-taken' };
  const { userId, verificationId, wholesalerId, kycLinkId } = link;
  await recordOnboardingStep(
    context,
    { by: linkCaller(wholesalerId), userId, verificationId, content, kycLinkId },
    () => undefined,
  );
  return { outcome: 'recorded' };
}
