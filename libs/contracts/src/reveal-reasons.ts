/** Why somebody who sees masked phone numbers needs one. */
export const REVEAL_REASONS = [
  'payment',
  'delivery',
  'onboarding',
  'complaint',
  'privacy',
] as const;

export type RevealReason = (typeof REVEAL_REASONS)[number];
