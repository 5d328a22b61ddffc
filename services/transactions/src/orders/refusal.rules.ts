import { endOfDay } from '@fiado/contracts/clock';
import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

/** Reasons of single orders and batch items, in the order of the checks. */
const COMMON_REASONS = [
  'CORNER_STORE_NOT_FOUND',
  'USER_NOT_VERIFIED',
  'USER_IS_IN_INTERNAL_VALIDATION',
  'USER_IS_IN_DEFAULT',
  'INVALID_DELIVERY_DATE',
  'MINIMAL_TRANSACTION_REQUIRED',
] as const;

/** The errors that refuse an order in createTransactionLink and createTransaction, in the order of the checks. */
export const ORDER_REASONS = [
  ...COMMON_REASONS,
  'CREDIT_LIMIT_EXCEEDED',
  'DUPLICATED_TRANSACTION',
] as const;

export type OrderReason = (typeof ORDER_REASONS)[number];

/**
 * Reasons to reject an item of createTransactions. The exceeded limit has another name than in
 * ORDER_REASONS.
 */
export const BATCH_REASONS = [
  ...COMMON_REASONS,
  'INSUFFICIENT_CREDIT',
  'DUPLICATED_TRANSACTION',
  'INVALID_MOVEMENT_DATE',
  'BATCH_NOT_ENABLED',
  'BATCH_LIMIT_EXCEEDED',
] as const;

/**
 * The facts that decide and price an order: the credit line, the wholesaler's settings, and the
 * time.
 */
export interface CreditTerms {
  now: Date;
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  limitCents: number;
  usedCents: number;
  /** Decimal string. */
  interestRate: string;
  /** E.164 sealed for the purpose 'phone'. */
  phoneSealed: Buffer;
  /** The wholesaler that set the phone, while no code has proved it. */
  phoneUnprovenBy: string | null;
  externalId: string;
  wholesalerName: string;
  minimumTransactionCents: number;
  commissionRate: string;
  paymentTermDays: number;
  /** Decimal string. */
  deliveryOverageRate: string;
  /** Of the store; null: the installation's. */
  timeZone: string | null;
  deliveryWordEnabled: boolean;
  confirmationRequired: boolean;
  batchEnabled: boolean;
  /** Times that this wholesaler changed the phone: codes and words are good for that one number. */
  phoneChanges: number;
  /** Until when its larger orders are refused for it; null: they are not. */
  phoneHeldUntil: Date | null;
  /** The sum of its orders that count against this hold. */
  heldCents: number;
}

/** The part of an order that its checks look at. */
export interface OrderToCheck {
  amountCents: number;
  deliveryDate: Date | undefined;
  /** An item of a batch is placed without a code. */
  inBatch?: boolean;
}

/**
 * What a wholesaler may sell to a store during a phone hold, all orders together, because no code
 * proves that the new number is the store's.
 */
export const MAX_HELD_CENTS = 500_000;

/** Reasons of createTransaction, in the order of its checks. */
export type Refusal = Exclude<OrderReason, 'DUPLICATED_TRANSACTION'>;

/**
 * All reasons to refuse an order on these terms, in the order of createTransaction's checks.
 * @param terms undefined when the wholesaler has no such customer
 * @param timeZone where days begin and end
 */
export function refusalsOf(
  terms: CreditTerms | undefined,
  { amountCents, deliveryDate, inBatch = false }: OrderToCheck,
  timeZone: string,
): Refusal[] {
  if (terms === undefined) return ['CORNER_STORE_NOT_FOUND'];
  const checks: Array<[boolean, Refusal]> = [
    [terms.status === 'pre-approved', 'USER_NOT_VERIFIED'],
    [
      terms.status === 'in-manual-validation' ||
        (isPhoneHeld(terms) && (inBatch || terms.heldCents + amountCents > MAX_HELD_CENTS)),
      'USER_IS_IN_INTERNAL_VALIDATION',
    ],
    [terms.overdue, 'USER_IS_IN_DEFAULT'],
    [
      deliveryDate !== undefined && !isDeliveryDate(deliveryDate, terms.now, timeZone),
      'INVALID_DELIVERY_DATE',
    ],
    [amountCents < terms.minimumTransactionCents, 'MINIMAL_TRANSACTION_REQUIRED'],
    [terms.usedCents + amountCents > terms.limitCents, 'CREDIT_LIMIT_EXCEEDED'],
  ];
  return checks.flatMap(([applies, refusal]) => (applies ? [refusal] : []));
}

/** What a line has left, and the largest order that would be accepted now: 0 when none would. Cents. */
export interface Room {
  availableCents: number;
  maximumCents: number;
}

/** @param terms undefined when the wholesaler has no such customer */
export function roomOf(terms: CreditTerms | undefined, timeZone: string): Room {
  if (terms === undefined) return { availableCents: 0, maximumCents: 0 };
  const availableCents = Math.max(0, terms.limitCents - terms.usedCents);
  const allowedCents = isPhoneHeld(terms)
    ? Math.min(availableCents, Math.max(0, MAX_HELD_CENTS - terms.heldCents))
    : availableCents;
  const largest = { amountCents: allowedCents, deliveryDate: undefined };
  const possible = allowedCents > 0 && refusalsOf(terms, largest, timeZone).length === 0;
  return { availableCents, maximumCents: possible ? allowedCents : 0 };
}

/** Whether the wholesaler's larger orders are refused, as it changed the store's phone lately. */
export function isPhoneHeld({ phoneHeldUntil, now }: CreditTerms): boolean {
  return phoneHeldUntil !== null && phoneHeldUntil > now;
}

/**
 * Whether fresh data of accounts could change the decision: overdue debts and the delivery date are
 * not its facts.
 */
export function mayChangeAfterRefresh(refusal: Refusal): boolean {
  return refusal !== 'USER_IS_IN_DEFAULT' && refusal !== 'INVALID_DELIVERY_DATE';
}

/** How far ahead a delivery may be planned; a later date is a typing error. */
const MAX_YEARS_AHEAD = 1;

/** Whether an order made now may have that delivery date: in the future, at most a year ahead. */
function isDeliveryDate(deliveryDate: Date, now: Date, timeZone: string): boolean {
  const aYearAhead = new Date(now);
  aYearAhead.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS_AHEAD);
  // A year after 29 February is 28 February, not 1 March.
  if (aYearAhead.getUTCMonth() !== now.getUTCMonth()) aYearAhead.setUTCDate(0);
  // A date alone means the end of its day, so all of that day counts.
  return deliveryDate > now && deliveryDate <= endOfDay(aYearAhead, timeZone);
}
