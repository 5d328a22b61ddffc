import type { OutboxRow } from '@fiado/chassis/outbox/append';
import { jsonTextOf } from '@fiado/contracts/json-text';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import type { CreditTerms } from './refusal.rules';
import { paymentDue, priceOf } from './pricing.rules';
import { type NewOrder, onHoldExpiry, type Order, unconfirmedExpiry } from './order.rules';
import { drawDeliveryWord } from '../deliveries/delivery-word';

interface OrderToWrite extends Order {
  wholesalerId: string;
  status: 'pending-verification' | 'on-hold';
  /** When the order was made, if not now. */
  movementDate?: Date | undefined;
  linked?: boolean;
  driverId?: string;
}

/**
 * Prices, dates and numbers an order on the terms of its corner store. An order on hold gets its
 * delivery word, if the wholesaler has words on.
 * @returns jobs: the message with the delivery word, if there is one
 */
export function priceOrder(
  context: Context,
  order: OrderToWrite,
  terms: CreditTerms,
  incrementalId: number,
): { order: NewOrder; jobs: OutboxRow[] } {
  const { IVA_RATE: ivaRate, TIME_ZONE } = context.config;
  const { now, interestRate, commissionRate } = terms;
  const paymentTermDays = terms.paymentTermDays;
  const paymentTimeZone = terms.timeZone ?? TIME_ZONE;
  const due = paymentDue(order.deliveryDate ?? now, { paymentTermDays, paymentTimeZone });
  const price = priceOf(order.amountCents, { interestRate, ivaRate, commissionRate });
  const id = newId();
  const isOnHold = order.status === 'on-hold';
  const word = isOnHold ? firstWord(context, order, terms, id) : undefined;
  return {
    // Field by field: with the spread of three objects it took eight times as long.
    order: {
      id,
      incrementalId,
      wholesalerId: order.wholesalerId,
      wholesalerTransactionId: order.wholesalerTransactionId,
      cornerStoreId: order.cornerStoreId,
      userId: terms.userId,
      status: order.status,
      amountCents: order.amountCents,
      interestCents: price.interestCents,
      ivaCents: price.ivaCents,
      commissionCents: price.commissionCents,
      interestRate,
      ivaRate,
      commissionRate,
      movementDate: order.movementDate ?? now,
      deliveryDate: order.deliveryDate,
      paymentTermDays,
      deliveryOverageRate: terms.deliveryOverageRate,
      paymentTimeZone,
      paymentDueOn: due.paymentDueOn,
      paymentDueAt: due.paymentDueAt,
      expiresAt: isOnHold ? onHoldExpiry(now, order.deliveryDate) : unconfirmedExpiry(now),
      linked: order.linked ?? false,
      driverId: order.driverId,
      metadata: order.metadata && jsonTextOf(order.metadata),
      products: order.products.map(({ externalSKU, name, quantity }, position) => ({
        externalSKU,
        name,
        quantity,
        position,
      })),
      wordSealed: word?.wordSealed.toString('base64'),
      phoneChanges: terms.phoneChanges,
    },
    jobs: word?.jobs ?? [],
  };
}

/** The delivery word of an order on hold; undefined where words are off. */
function firstWord(
  context: Context,
  { wholesalerId, amountCents }: OrderToWrite,
  terms: CreditTerms,
  id: string,
): ReturnType<typeof drawDeliveryWord> | undefined {
  if (!terms.deliveryWordEnabled) return undefined;
  const { cornerStoreId, wholesalerName, phoneSealed, phoneUnprovenBy, now } = terms;
  return drawDeliveryWord(context, {
    id,
    cornerStoreId,
    wholesalerId,
    wholesalerName,
    amountCents,
    phoneSealed,
    phoneUnprovenBy,
    now,
  });
}
