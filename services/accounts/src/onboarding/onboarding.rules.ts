import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import { ONBOARDING_STEPS, type OnboardingStep } from '@fiado/contracts/onboarding';

export interface OnboardingProgress {
  completedSteps: OnboardingStep[];
  missingSteps: OnboardingStep[];
}

/** Completed and remaining steps in the expected order; the step for a new name is optional. */
export function progressOf(taken: OnboardingStep[]): OnboardingProgress {
  return {
    completedSteps: ONBOARDING_STEPS.filter((step) => taken.includes(step)),
    missingSteps: ONBOARDING_STEPS.filter(
      (step) => !taken.includes(step) && step !== 'CORNER_STORE_NAME_UPDATE',
    ),
  };
}

/**
 * COMPLETED submits a store to ops, even if steps are missing. An approved store stays approved.
 */
export function statusAfter(step: OnboardingStep, status: CornerStoreStatus): CornerStoreStatus {
  return step === 'COMPLETED' && status === 'pre-approved' ? 'in-manual-validation' : status;
}
