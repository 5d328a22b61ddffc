import { IsObject, IsOptional } from './class-validator';
import type { CornerStoreStatus } from './corner-store';
import { IsNonEmptyText, IsText } from './decorators';
import type { OnboardingStep } from './onboarding';
import { defineCall } from './define';

/** A token has 43 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;
/** Longest version of a privacy notice, and longest URL of one, in characters. */
export const MAX_NOTICE_VERSION = 40;
const MAX_NOTICE_URL = 2_000;

export class KycLinkQuestion {
  @IsText(MAX_TOKEN)
  token: string;

  /** Of the privacy notice that is shown now. Absent in the question of an older gateway. */
  @IsOptional()
  @IsNonEmptyText(MAX_NOTICE_VERSION)
  noticeVersion?: string;
}

/** `valid` is false for a link that is unknown or past its 24 hours. */
export type KycLinkAnswer =
  | { valid: false }
  | {
      valid: true;
      /** That made the link. */
      wholesalerId: string;
      firstName: string;
      status: CornerStoreStatus;
      /** In the order in which they are expected; the last is COMPLETED. */
      missingSteps: OnboardingStep[];
      /** Whether the owner has consented to that version of the privacy notice. */
      consented: boolean;
    };

export class KycConsent {
  @IsText(MAX_TOKEN)
  token: string;

  @IsNonEmptyText(MAX_NOTICE_VERSION)
  noticeVersion: string;

  @IsNonEmptyText(MAX_NOTICE_URL)
  noticeUrl: string;
}

export class KycStep {
  @IsText(MAX_TOKEN)
  token: string;

  @IsNonEmptyText(MAX_NOTICE_VERSION)
  noticeVersion: string;

  /** A body of recordOnboardingStep, and checked as one. */
  @IsObject()
  content: object;
}

/**
 * `refused`: the content is not valid, such as an image that does not decode. `not-taken`: the link
 * takes no such step now; its state tells why.
 */
export interface KycStepAnswer {
  outcome: 'recorded' | 'refused' | 'not-taken';
  /** A recorded image that is narrower than the specification recommends. */
  isSmall?: boolean;
  /** A recorded image that is not sharp. */
  isBlurred?: boolean;
}

/** The state of a valid link. */
export type ValidKycLink = Extract<KycLinkAnswer, { valid: true }>;

/**
 * Whether a link takes a step: not before the consent, COMPLETED after all other steps, and steps
 * again only until COMPLETED.
 */
export function takesStep(
  { consented, status, missingSteps }: Pick<ValidKycLink, 'consented' | 'status' | 'missingSteps'>,
  step: OnboardingStep,
): boolean {
  if (!consented || status === 'approved' || step === 'CORNER_STORE_NAME_UPDATE') return false;
  if (step === 'COMPLETED') return missingSteps.every((missing) => missing === 'COMPLETED');
  return status === 'pre-approved' || missingSteps.includes(step);
}

/** For accounts: the page of a link (createKycLink). */
export const openKycLinkCall = defineCall<KycLinkAnswer>()(
  '/internal/kyc-links/open',
  KycLinkQuestion,
);

/** For accounts: the owner consents to the lender's privacy notice. */
export const kycConsentCall = defineCall<object>()('/internal/kyc-links/consent', KycConsent);

/** For accounts: one onboarding step by the link. */
export const kycStepCall = defineCall<KycStepAnswer>()('/internal/kyc-links/step', KycStep);
