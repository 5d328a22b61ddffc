import { IsISO8601 } from './class-validator';
import { defineCall } from './define';

export class OpsFiguresQuestion {
  /** Start of the day of the lender, ISO 8601. */
  @IsISO8601({ strict: true })
  since: string;
}

/** Fields of every part. */
interface Figures {
  /** When the sample was read, ISO 8601. */
  asOf: string;
  /** Jobs of the service that failed for good and wait for ops. */
  deadJobs: number;
}

/** Orders of the day, in cents. */
export interface OrderFigures extends Figures {
  orders: number;
  amountCents: number;
  /** Only hours with orders, oldest first. */
  hours: Array<{ startsAt: string; orders: number; amountCents: number }>;
}

/** Days for which a debt has been overdue; 0 is not yet. */
export const AGEING_BUCKETS = ['0', '1-7', '8-30', '31-60', '61+'] as const;
export type AgeingBucket = (typeof AGEING_BUCKETS)[number];

/** Debts and deposits, in cents. */
export interface PaymentFigures extends Figures {
  /** Deliveries of the day. */
  deliveries: number;
  deliveredCents: number;
  deposits: number;
  depositedCents: number;
  unmatchedDeposits: number;
  /** Seconds for which the oldest unmatched deposit has waited. */
  oldestUnmatchedSeconds: number;
  /**
   * Share of the principal that was late by more than 30 days at the end of the last day in the books, and
   * that day; null where there is none, or nothing was owed.
   */
  par30: number | null;
  par30AsOf: string | null;
  /** Every bucket, in order. */
  ageing: Array<{ bucket: AgeingBucket; receivables: number; amountCents: number }>;
}

/** SMS and webhooks. */
export interface MessageFigures extends Figures {
  /** Of the day, by the state that they have now. */
  sent: number;
  failed: number;
  pending: number;
  failingWebhooks: number;
  disabledEndpoints: number;
}

/** Each service answers from a sample that is at most a minute old. */
const figuresCall = <Part extends Figures>() =>
  defineCall<Part>()('/internal/ops-figures', OpsFiguresQuestion);

/** For transactions: its part of ops' overview. */
export const orderFiguresCall = figuresCall<OrderFigures>();

/** For payments: its part of ops' overview. */
export const paymentFiguresCall = figuresCall<PaymentFigures>();

/** For the notifier: its part of ops' overview. */
export const messageFiguresCall = figuresCall<MessageFigures>();
