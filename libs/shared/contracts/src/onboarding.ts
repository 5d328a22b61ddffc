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

export const IMAGE_STEPS = [
  'DOCUMENT_IMAGE_FRONTAL',
  'DOCUMENT_IMAGE_BACK',
  'SELFIE_IMAGE',
  'STORE_IMAGE',
] as const satisfies OnboardingStep[];

export type ImageStep = (typeof IMAGE_STEPS)[number];

export function isImageStep(step: OnboardingStep): step is ImageStep {
  return IMAGE_STEPS.some((one) => one === step);
}

/**
 * Requirements that an image does not meet: three recommendations of the specification about its bytes and its width,
 * and sharpness.
 */
export const IMAGE_WARNINGS = ['few-bytes', 'many-bytes', 'narrow', 'blurred'] as const;

export type ImageWarning = (typeof IMAGE_WARNINGS)[number];

/** Largest image that is taken, in bytes: the spec recommends at most 1 MB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** Longest name and address of a corner store, in characters. */
export const MAX_STORE_NAME = 200;
export const MAX_STORE_ADDRESS = 500;

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
