import { dayAfter } from '@fiado/contracts/clock';
import { shareOf } from '@fiado/contracts/money';

export interface Rates {
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
}

/** The price of an amount, in integer cents. */
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

/** When a delivery is to be paid. */
export interface PaymentTerms {
  paymentTermDays: number;
  paymentTimeZone: string;
}

/** The last day to pay, and its end: so many days after the (expected) delivery's day. */
export function paymentDue(
  deliveredAt: Date,
  { paymentTermDays, paymentTimeZone }: PaymentTerms,
): { paymentDueOn: string; paymentDueAt: Date } {
  const { date, end } = dayAfter(deliveredAt, paymentTimeZone, paymentTermDays);
  return { paymentDueOn: date, paymentDueAt: end };
}
