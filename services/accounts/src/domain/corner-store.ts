import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import { AppError } from '@fiado/shared/contracts/errors';

/** The status that callers see. */
export type ShownStatus = CornerStoreStatus | 'in-payment-default';

export const SHOWN_STATUSES: ShownStatus[] = [
  'pre-approved',
  'in-manual-validation',
  'approved',
  'in-payment-default',
];

/** Being overdue shows only on a store that may buy at all. */
export function shownStatus(status: CornerStoreStatus, overdue: boolean): ShownStatus {
  return status === 'approved' && overdue ? 'in-payment-default' : status;
}

/** Cents that a store may still buy for; a lowered limit may lie below what is used. */
export function availableCents(creditLimitCents: number, usedCents: number): number {
  return Math.max(0, creditLimitCents - usedCents);
}

/**
 * Whether a user may still be verified (createAccountVerification, resendAccountCode).
 * @throws AppError USER_IS_VERIFIED, overdue or not, or USER_IN_MANUAL_VALIDATION
 */
export function requireVerifiable(status: CornerStoreStatus): void {
  if (status === 'approved') throw new AppError('USER_IS_VERIFIED');
  if (status === 'in-manual-validation') throw new AppError('USER_IN_MANUAL_VALIDATION');
}
