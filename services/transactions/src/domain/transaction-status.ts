/**
 * States of a transaction: pending-verification → on-hold → delivery ⇄ in-payment-default → paid;
 * aside, cancelled and expired.
 */
export const TRANSACTION_STATUSES = [
  'pending-verification',
  'on-hold',
  'delivery',
  'in-payment-default',
  'paid',
  'cancelled',
  'expired',
] as const;

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** Whether the order still waits for its code. */
export function awaitsConfirmation(status: TransactionStatus): boolean {
  return status === 'pending-verification';
}

/** Whether the order ended before it was confirmed: its verification is void. */
export function isAbandoned(status: TransactionStatus): boolean {
  return status === 'cancelled' || status === 'expired';
}
