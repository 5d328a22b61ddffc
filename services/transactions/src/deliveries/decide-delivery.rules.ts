import { AppError } from '@fiado/contracts/errors';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import { amountOf, shareOf } from '@fiado/contracts/money';
import { onHold, type OrderStatus } from '../orders/order.rules';
import { paymentDue, type Price, priceOf, type Rates } from '../orders/pricing.rules';
import type { CreditTerms } from '../orders/refusal.rules';

/** A delivery as the wholesaler reports it. */
export interface Delivery {
  amountCents: number;
  deliveryWord: string | undefined;
  location: { latitude?: number; longitude?: number; description?: string } | undefined;
}

/** What shows that the store got its goods: its delivery word, or nothing but the wholesaler's report. */
export const DELIVERY_PROOFS = ['word', 'none'] as const;
export type DeliveryProof = (typeof DELIVERY_PROOFS)[number];

/** An order, and the terms that it was made with. */
export interface OrderToDecide extends Rates {
  id: string;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  version: number;
  status: OrderStatus;
  amountCents: number;
  paymentTermDays: number;
  deliveryOverageRate: string;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  /** Only where the wholesaler has words on, and only when this order has one. */
  deliveryWordRequired: boolean;
  isPhoneHeld: boolean;
  now: Date;
}

/** What a delivery writes to its order. */
export interface WrittenDelivery extends Price {
  id: string;
  wholesalerId: string;
  cornerStoreId: string;
  /** The version of the order that was read. The statement writes nothing if the order has another one. */
  version: number;
  /** The final amount. */
  amountCents: number;
  /** The final amount minus the ordered one. */
  differenceCents: number;
  commissionRate: string;
  paymentDueOn: string;
  paymentDueAt: Date;
  paymentTimeZone: string;
  /** The end of the day that paymentDueOn is counted from. */
  dayEndsAt: Date;
  proof: DeliveryProof;
}

/** A delivery that its order allows. */
export interface DecidedDelivery {
  order: OrderToDecide;
  delivery: Delivery;
  written: WrittenDelivery;
  /** The debt that it books. */
  debt: TransactionDelivered;
}

/**
 * Decides on a delivery, in the order of the checks of deliverTransaction. A delivery word is
 * compared afterwards, and the credit is checked where it is booked.
 * @param found undefined when the wholesaler has no such order
 * @param asked the delivery, or the error of the request that contains none
 * @param timeZone of the installation
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD, the error of the request,
 *   DELIVERY_WORD_NOT_VALID, TRANSACTION_AMOUNT_NOT_ALLOWED
 */
export function decideDelivery(
  found: OrderToDecide | undefined,
  asked: Delivery | Error,
  timeZone: string,
): DecidedDelivery {
  const order = onHold(found);
  if (asked instanceof Error) throw asked;
  const { amountCents, deliveryWord } = asked;
  if (order.deliveryWordRequired && deliveryWord === undefined) {
    throw new AppError('DELIVERY_WORD_NOT_VALID');
  }
  // Less is always fine. More is limited: the store's code confirmed an amount.
  const mostCents = order.amountCents + shareOf(order.amountCents, order.deliveryOverageRate);
  if (amountCents > mostCents) {
    const fields = { maximumAmount: amountOf(mostCents) };
    throw new AppError('TRANSACTION_AMOUNT_NOT_ALLOWED', { fields });
  }

  const { id, wholesalerId, cornerStoreId, version, commissionRate, now, paymentTermDays } = order;
  const price = priceOf(amountCents, order);
  const paymentTimeZone = order.paymentTimeZone ?? timeZone;
  const due = paymentDue(now, { paymentTermDays, paymentTimeZone });
  return {
    order,
    delivery: asked,
    written: {
      id,
      wholesalerId,
      cornerStoreId,
      version,
      amountCents,
      differenceCents: amountCents - order.amountCents,
      commissionRate,
      ...price,
      ...due,
      paymentTimeZone,
      dayEndsAt: paymentDue(now, { paymentTermDays: 0, paymentTimeZone }).paymentDueAt,
      // A wrong word is refused before the delivery is written.
      proof: deliveryWord === undefined ? 'none' : 'word',
    },
    debt: {
      transactionId: id,
      wholesalerId,
      cornerStoreId,
      userId: order.userId,
      externalId: order.externalId,
      principalCents: amountCents,
      interestCents: price.interestCents,
      ivaCents: price.ivaCents,
      dueAt: due.paymentDueAt.toISOString(),
      dueOn: due.paymentDueOn,
      timeZone: paymentTimeZone,
      // The statement writes the time at which it delivers.
      deliveredAt: now.toISOString(),
    },
  };
}

/**
 * The refusal of a delivery that the credit line does not carry, with the most that it carries.
 * @param terms undefined where that is not known
 */
export function creditRefusal(
  { amountCents }: OrderToDecide,
  delivery: Delivery,
  terms: CreditTerms | undefined,
): AppError {
  if (terms === undefined) return new AppError('CREDIT_LIMIT_EXCEEDED');
  const mayBuy = terms.status === 'approved' && !terms.overdue;
  const freeCents = mayBuy ? Math.max(terms.limitCents - terms.usedCents, 0) : 0;
  const mostCents = amountCents + freeCents;
  const fields = mostCents < delivery.amountCents ? { maximumAmount: amountOf(mostCents) } : {};
  return new AppError('CREDIT_LIMIT_EXCEEDED', { fields });
}
