import { endOfDay } from '@fiado/shared/clock';
import { shareOf } from '@fiado/shared/money';

export interface Rates {
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
}

/** What an amount costs, in integer cents. */
export interface Price {
  interestCents: number;
  ivaCents: number;
  commissionCents: number;
}

/** interests = amount × interestRate; IVA = interests × ivaRate; each rounded half up. */
export function priceOf(amountCents: number, rates: Rates): Price {
  const interestCents = shareOf(amountCents, rates.interestRate);
  return {
    interestCents,
    ivaCents: shareOf(interestCents, rates.ivaRate),
    commissionCents: shareOf(amountCents, rates.commissionRate),
  };
}

/** Last moment to pay on time: so many days after the (expected) delivery, to the end of the day. */
export function paymentDueAt(deliveredAt: Date, paymentTermDays: number, timeZone: string): Date {
  return endOfDay(deliveredAt, timeZone, paymentTermDays);
}
