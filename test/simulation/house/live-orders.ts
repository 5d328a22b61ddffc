import { codeOf, isSameCode } from '@fiado/shared/verification/code';
import { deliveryRefusal } from '../../../services/transactions/src/domain/delivery';
import { onHoldExpiry } from '../../../services/transactions/src/domain/expiry';
import { paymentDueAt, priceOf } from '../../../services/transactions/src/domain/pricing';
import {
  awaitsConfirmation,
  isAbandoned,
} from '../../../services/transactions/src/domain/transaction-status';
import { TIME_ZONE } from '../world';
import { PEPPER, askAccounts, newSalt, sendCode } from './create-orders';
import { rowOf, say, type House, type Operation, type OrderRow } from './house';
import {
  approveVerification,
  changeUsedCredit,
  countCheck,
  releaseOrder,
  resendVerification,
} from './sql-rules';

/** use-cases/confirm-transaction.ts. */
export function* confirmOrder(house: House, id: string, code: string): Operation<string> {
  const order = rowOf(house.transactions.orders, id);
  if (order.verification === undefined) return 'VERIFICATION_NOT_FOUND';
  if (isAbandoned(order.status)) return 'VERIFICATION_NOT_VALID';
  if (!awaitsConfirmation(order.status)) return 'TRANSACTION_IS_VERIFIED';
  yield;
  const salt = countCheck(house, order);
  if (salt === undefined || !isSameCode(code, codeOf(PEPPER, order.verification.id, salt))) {
    return 'VERIFICATION_NOT_VALID';
  }
  yield;
  if (order.status !== 'pending-verification') return 'TRANSACTION_IS_VERIFIED';
  if (!approveVerification(house, order, salt)) return 'VERIFICATION_NOT_VALID';
  order.status = 'on-hold';
  order.expiresAt = onHoldExpiry(order.createdAt, order.deliveryDate);
  return 'approved';
}

/** use-cases/resend-code.ts, and open-link.ts when a link's page is opened first. */
export function resendCode(house: House, id: string): string {
  const order = rowOf(house.transactions.orders, id);
  if (order.verification === undefined || isAbandoned(order.status)) {
    return 'VERIFICATION_NOT_FOUND';
  }
  if (!awaitsConfirmation(order.status)) return 'TRANSACTION_IS_VERIFIED';
  const resent = resendVerification(house, order, () => newSalt(house));
  if (resent === 'sent') sendCode(house, order);
  return resent;
}

/** use-cases/deliver-transaction.ts, without a word: words move no money. */
export function* deliverOrder(house: House, id: string, amountCents: number): Operation<string> {
  const order = rowOf(house.transactions.orders, id);
  if (order.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
  yield;
  const first = bookDelivery(house, order, amountCents);
  if (first !== 'CREDIT_LIMIT_EXCEEDED') return first;
  yield;
  if (!house.accounts.away) askAccounts(house, order.wholesalerId, [order.cornerStoreId]);
  yield;
  return bookDelivery(house, order, amountCents);
}

function bookDelivery(house: House, order: OrderRow, amountCents: number): string {
  if (order.status !== 'on-hold') return 'TRANSACTION_IS_NOT_IN_HOLD';
  const { paymentTermDays, overageRate } = rowOf(house.settings, order.wholesalerId);
  const refusal = deliveryRefusal(order.amountCents, amountCents, overageRate);
  if (refusal !== undefined) return refusal;

  const { id: transactionId, cornerStoreId, wholesalerId } = order;
  const differenceCents = amountCents - order.amountCents;
  if (differenceCents !== 0) {
    const change = { cornerStoreId, transactionId, amountCents: differenceCents };
    const fits = changeUsedCredit(house, { ...change, kind: 'adjustment' }, { withinLimit: true });
    if (!fits) return 'CREDIT_LIMIT_EXCEEDED';
  }
  const price = priceOf(amountCents, order);
  const dueAt = paymentDueAt(house.now, paymentTermDays, TIME_ZONE);
  Object.assign(order, price, {
    status: 'delivery',
    amountCents,
    owedCents: amountCents,
    paymentDueAt: dueAt,
    deliveredAt: house.now,
  });
  say(house, {
    type: 'transaction.delivered',
    delivered: {
      transactionId,
      wholesalerId,
      cornerStoreId,
      userId: cornerStoreId,
      externalId: cornerStoreId,
      principalCents: amountCents,
      interestCents: price.interestCents,
      ivaCents: price.ivaCents,
      dueAt: dueAt.toISOString(),
      deliveredAt: house.now.toISOString(),
    },
  });
  return 'delivered';
}

/** use-cases/cancel-transaction.ts. */
export function cancelOrder(house: House, id: string): string {
  const order = rowOf(house.transactions.orders, id);
  const released = releaseOrder(house, order, ['pending-verification', 'on-hold'], 'cancelled');
  return released ? 'cancelled' : 'TRANSACTION_IS_NOT_IN_HOLD';
}

/** use-cases/expire-transactions.ts. */
export function expireOrders(house: House): void {
  for (const order of house.transactions.orders.values()) {
    if (order.expiresAt > house.now) continue;
    releaseOrder(house, order, ['pending-verification', 'on-hold'], 'expired');
  }
}
