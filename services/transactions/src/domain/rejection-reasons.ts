/** Reasons of single orders and batch items, in the order of the checks. */
const COMMON_REASONS = [
  'CORNER_STORE_NOT_FOUND',
  'USER_NOT_VERIFIED',
  'USER_IS_IN_INTERNAL_VALIDATION',
  'USER_IS_IN_DEFAULT',
  'INVALID_DELIVERY_DATE',
  'MINIMAL_TRANSACTION_REQUIRED',
] as const;

/**
 * What an order of createTransactionLink and createTransaction is refused for, in the order of
 * their checks.
 */
export const ORDER_REASONS = [
  ...COMMON_REASONS,
  'CREDIT_LIMIT_EXCEEDED',
  'DUPLICATED_TRANSACTION',
] as const;
export type OrderReason = (typeof ORDER_REASONS)[number];

/**
 * Reasons of an item of createTransactions: those above, but for the limit's own name, and those of
 * batches.
 */
export const BATCH_REASONS = [
  ...COMMON_REASONS,
  'INSUFFICIENT_CREDIT',
  'DUPLICATED_TRANSACTION',
  'INVALID_MOVEMENT_DATE',
  'BATCH_NOT_ENABLED',
  'BATCH_LIMIT_EXCEEDED',
] as const;
