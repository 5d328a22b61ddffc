import { createCounter, createGauge } from '@fiado/chassis/metrics';
import { AppError } from '@fiado/contracts/errors';
import { BATCH_REASONS, ORDER_REASONS } from './orders/refusal.rules';

/**
 * The endpoint that created an order: createTransaction, createTransactionLink or
 * createTransactions.
 */
export type OrderSource = 'order' | 'link' | 'batch';

const countDecision = createCounter(
  'fiado_credit_decisions_total',
  'Decisions on orders, by endpoint, decision and first reason of a rejection',
  ['source', 'decision', 'reason'],
  [
    ...(['order', 'link', 'batch'] as const).map((source) => accepted(source)),
    ...(['order', 'link'] as const).flatMap((source) =>
      ORDER_REASONS.map((reason) => rejected(source, reason)),
    ),
    ...BATCH_REASONS.map((reason) => rejected('batch', reason)),
  ],
);

const INVOICE_OUTCOMES = [
  'issued',
  'pending',
  'retried',
  'failed',
  'total-differs',
  'cancelled',
  'not-cancelled',
] as const;

/** The outcome of an attempt to issue or to cancel an invoice. */
export type InvoiceOutcome = (typeof INVOICE_OUTCOMES)[number];

const countInvoices = createCounter(
  'fiado_invoice_tries_total',
  'Attempts to issue or to cancel an invoice, by outcome; retried ones are repeated later',
  ['outcome'],
  INVOICE_OUTCOMES.map((outcome) => ({ outcome })),
);

export function countInvoiceTry(outcome: InvoiceOutcome): void {
  countInvoices({ outcome });
}

export const wholesalersBehind = createGauge(
  'fiado_statements_behind_wholesalers',
  'Wholesalers whose day or week ended more than 10 minutes ago and has no statement yet',
  [],
);

export const complementsMissing = createGauge(
  'fiado_payment_complements_missing',
  'Payment complements of months that are over that are not issued, from the third day of the month on',
  [],
);

export const oldestOpenDispute = createGauge(
  'fiado_disputes_oldest_open_seconds',
  'How long the oldest dispute that nobody has decided is open; 0 without one',
  [],
);

export function countAccepted(source: OrderSource): void {
  countDecision(accepted(source));
}

export function countRejected(source: OrderSource, reason: string): void {
  countDecision(rejected(source, reason));
}

/**
 * Counts an order that was refused for one of ORDER_REASONS; any other failure is no decision. For
 * the end of a request: a refusal before it may only mean that the same request was accepted
 * before.
 */
export function countRefusal(source: OrderSource): (error: unknown) => void {
  return (error) => {
    const code = error instanceof AppError ? error.code : undefined;
    const reason = ORDER_REASONS.find((one) => one === code);
    if (reason !== undefined) countRejected(source, reason);
  };
}

function accepted(source: OrderSource) {
  return { source, decision: 'accepted', reason: 'none' };
}

function rejected(source: OrderSource, reason: string) {
  return { source, decision: 'rejected', reason };
}
