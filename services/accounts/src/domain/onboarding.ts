import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import { ONBOARDING_STEPS, type OnboardingStep } from '@fiado/shared/contracts/onboarding';

export const IMAGE_STEPS = [
  'DOCUMENT_IMAGE_FRONTAL',
  'DOCUMENT_IMAGE_BACK',
  'SELFIE_IMAGE',
  'STORE_IMAGE',
] as const satisfies OnboardingStep[];

export type ImageStep = (typeof IMAGE_STEPS)[number];

// The spec's values, to the letter: accents, and hyphens where it has them.
export const CORNER_STORE_TYPES = [
  'ABARROTES',
  'CAFE_INTERNET',
  'CARNICERIA',
  'CREMERIA',
  'DULCERIA',
  'FARMACIA',
  'FERRETERIA',
  'MISCELÁNEA',
  'PAPELERIA',
  'RESTAURANTE',
  'POLLERÍA',
] as const;

export const BUSINESS_LIFETIMES = [
  'LESS_THAN_SIX_MONTHS',
  'LESS_THAN_ONE_YEAR',
  'ONE-TO-TWO_YEARS',
  'TWO-TO-THREE_YEARS',
  'THREE-TO-FIVE_YEARS',
  'MORE_THAN_FIVE_YEARS',
] as const;

export const OWNERSHIP_STATUSES = ['DUEÑO', 'EMPLEADO'] as const;

export const LOCALE_OWNERS = ['PROPIO', 'ALQUILADO'] as const;

/** The information of a corner store, except for its name. */
export interface CornerStoreInformation {
  cornerStoreType: (typeof CORNER_STORE_TYPES)[number];
  businessLifetime: (typeof BUSINESS_LIFETIMES)[number];
  ownershipStatus: (typeof OWNERSHIP_STATUSES)[number];
  cornerStoreAddress: string;
  localeOwner: (typeof LOCALE_OWNERS)[number];
}

export interface OnboardingProgress {
  completedSteps: OnboardingStep[];
  missingSteps: OnboardingStep[];
}

export function isImageStep(step: OnboardingStep): step is ImageStep {
  return IMAGE_STEPS.some((one) => one === step);
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
