/** Why goods of a delivered order are credited. */
export const CREDIT_NOTE_REASONS = ['return', 'damaged', 'missing', 'price', 'other'] as const;

export type CreditNoteReason = (typeof CREDIT_NOTE_REASONS)[number];
