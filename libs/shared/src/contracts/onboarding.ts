/**
 * The steps of a corner store's onboarding, in the order in which they are expected
 * (recordOnboardingStep).
 */
export const ONBOARDING_STEPS = [
  'DOCUMENT_IMAGE_FRONTAL',
  'DOCUMENT_IMAGE_BACK',
  'SELFIE_IMAGE',
  'STORE_IMAGE',
  'CORNER_STORE_INFORMATION',
  'COMPLETED',
  'CORNER_STORE_NAME_UPDATE',
] as const;

export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];
