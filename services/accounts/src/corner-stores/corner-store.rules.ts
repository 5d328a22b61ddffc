import type { CornerStoreStatus } from '@fiado/contracts/corner-store';
import { AppError } from '@fiado/contracts/errors';

/** The status that callers see. */
export type ShownStatus = CornerStoreStatus | 'in-payment-default';

export const SHOWN_STATUSES: ShownStatus[] = [
  'pre-approved',
  'in-manual-validation',
  'approved',
  'in-payment-default',
];

/** Only an approved store is shown as overdue. */
export function shownStatus(status: CornerStoreStatus, overdue: boolean): ShownStatus {
  return status === 'approved' && overdue ? 'in-payment-default' : status;
}

/** Available credit in cents. After a limit was lowered, it may be below the used credit. */
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
