/**
 * The requests that a person may make about their own data: the rights of articles 22 and following of the LFPDPPP.
 */
export const PRIVACY_REQUEST_KINDS = [
  'access',
  'rectification',
  'cancellation',
  'opposition',
] as const;
export type PrivacyRequestKind = (typeof PRIVACY_REQUEST_KINDS)[number];

/** `executing`: granted, and not done yet. */
export const PRIVACY_REQUEST_STATUSES = ['open', 'executing', 'done', 'refused'] as const;
export type PrivacyRequestStatus = (typeof PRIVACY_REQUEST_STATUSES)[number];

/** How a request came. */
export const PRIVACY_CHANNELS = ['email', 'letter', 'phone', 'in-person', 'sms'] as const;
export type PrivacyChannel = (typeof PRIVACY_CHANNELS)[number];

/** How the person proved who they are; never what they showed. */
export const IDENTITY_PROOFS = [
  'official-id',
  'legal-representative',
  'code-by-sms',
  'phone-number',
] as const;
export type IdentityProof = (typeof IDENTITY_PROOFS)[number];

/** Why a request is refused: the cases in which the law allows it. */
export const REFUSAL_REASONS = [
  'identity-not-proven',
  'no-data',
  'rights-of-others',
  'law-or-authority',
  'contract-in-force',
  'already-done',
] as const;

/** Why a time is extended. */
export const EXTENSION_REASONS = [
  'many-records',
  'identity-in-doubt',
  'waiting-for-others',
] as const;

export const PRIVACY_REASONS = [...REFUSAL_REASONS, ...EXTENSION_REASONS] as const;
export type PrivacyReason = (typeof PRIVACY_REASONS)[number];

/** `extended` moves the time of the answer, or of the execution, once. */
export const PRIVACY_ANSWERS = ['granted', 'refused', 'extended'] as const;
export type PrivacyAnswer = (typeof PRIVACY_ANSWERS)[number];

/** Purposes of a privacy notice that a consent covers; the law keeps the two apart. */
export const CONSENT_PURPOSES = ['necessary', 'voluntary'] as const;
export type ConsentPurpose = (typeof CONSENT_PURPOSES)[number];

/** Why somebody reads the data of a blocked person: what they are still kept for. */
export const BLOCKED_READ_REASONS = [
  'privacy-request',
  'claim',
  'authority',
  'accounting',
] as const;
export type BlockedReadReason = (typeof BLOCKED_READ_REASONS)[number];

/** Why somebody who sees masked phone numbers needs one. */
export const REVEAL_REASONS = [
  'payment',
  'delivery',
  'onboarding',
  'complaint',
  'privacy',
] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];

/** Days before its deadline from which a request is urgent: pages show it, and an alert fires. */
export const URGENT_DAYS = 3;
