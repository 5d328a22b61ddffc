import { IsText } from './decorators';
import type { CornerStoreStatus } from './corner-store';
import type { OnboardingStep } from './onboarding';

/** A token has 43 characters; what is longer is none, and not worth a look-up. */
const MAX_TOKEN = 100;

/**
 * POST /internal/kyc-links/open of accounts: what the gateway asks for the page of a link
 * (createKycLink).
 */
export class KycLinkQuestion {
  @IsText(MAX_TOKEN)
  token: string;
}

/** `valid` is false for a link that is unknown or past its 24 hours. */
export type KycLinkAnswer =
  | { valid: false }
  | {
      valid: true;
      firstName: string;
      status: CornerStoreStatus;
      /** In the order in which they are expected; the last is COMPLETED. */
      missingSteps: OnboardingStep[];
    };
