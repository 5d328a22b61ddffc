import type { CreditTerms } from './credit-terms';
import { isDeliveryDate } from './delivery-date';
import type { OrderReason } from './rejection-reasons';

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
