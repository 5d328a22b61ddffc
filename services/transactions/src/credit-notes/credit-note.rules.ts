import type { ErrorCode } from '@fiado/contracts/errors';
import { type Price, priceOf, type Rates } from '../orders/pricing.rules';
import { commissionBack } from '../statements/settlement.rules';

/** How long after the delivery a wholesaler may give a credit note; ops may later. */
const CREDITABLE_DAYS = 60;
const DAY_MS = 24 * 60 * 60_000;

/** A delivered order, and what it was credited so far. Amounts in cents. */
interface Creditable extends Rates {
  /** The delivered amount, without interest and IVA. */
  amountCents: number;
  /** The part of it that earlier credit notes took off. */
  creditedCents: number;
  /** The part of it that clawbacks took back from the wholesaler. A note must not take it a second time. */
  clawedBackCents: number;
  /** Whether its delivery is a line of a statement: not if it is older than the first statement. */
  isSettled: boolean;
  /** Null before the delivery. */
  deliveredAt: Date | null;
  now: Date;
}

/** Why an order gets no credit note of that amount; undefined when it does. */
export function creditRefusal(
  order: Creditable,
  { amountCents, byWholesaler }: { amountCents: number; byWholesaler: boolean },
): ErrorCode | undefined {
  const { deliveredAt, now } = order;
  if (deliveredAt === null || !order.isSettled) return 'TRANSACTION_NOT_CREDITABLE';
  const isLate = now.getTime() - deliveredAt.getTime() > CREDITABLE_DAYS * DAY_MS;
  if (byWholesaler && isLate) return 'TRANSACTION_NOT_CREDITABLE';
  return amountCents > creditableCents(order) ? 'CREDIT_NOTE_AMOUNT_NOT_ALLOWED' : undefined;
}

/** The part of the delivered amount that can still be credited, in cents. */
export function creditableCents({
  amountCents,
  creditedCents,
  clawedBackCents,
}: Creditable): number {
  return amountCents - creditedCents - clawedBackCents;
}

/**
 * What a credit note takes off interests, IVA and commission: the difference of what the goods cost
 * before and after it, each rounded. So the notes of a full return add up to the price of the order.
 * A clawback took its share of the commission, and none of what the store owes.
 */
export function priceOfCredit(
  order: Pick<Creditable, keyof Rates | 'amountCents' | 'creditedCents' | 'clawedBackCents'>,
  amountCents: number,
): Price {
  const leftCents = order.amountCents - order.creditedCents;
  const before = priceOf(leftCents, order);
  const after = priceOf(leftCents - amountCents, order);
  const settledCents = leftCents - order.clawedBackCents;
  return {
    interestCents: before.interestCents - after.interestCents,
    ivaCents: before.ivaCents - after.ivaCents,
    commissionCents: commissionBack(settledCents, amountCents, order.commissionRate),
  };
}
