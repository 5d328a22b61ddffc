import { createCounter } from '@fiado/shared/chassis/metrics';
import { AppError } from '@fiado/shared/contracts/errors';
import { BATCH_REASONS, ORDER_REASONS } from './domain/rejection-reasons';

/** By which endpoint an order came: e7, e6 or e8. */
export type OrderSource = 'order' | 'link' | 'batch';

const countDecision = createCounter(
  'fiado_credit_decisions_total',
  'Orders on credit that were decided on, by endpoint, decision and first reason of a rejection',
  ['source', 'decision', 'reason'],
  [
    ...(['order', 'link', 'batch'] as const).map((source) => accepted(source)),
    ...(['order', 'link'] as const).flatMap((source) =>
      ORDER_REASONS.map((reason) => rejected(source, reason)),
    ),
    ...BATCH_REASONS.map((reason) => rejected('batch', reason)),
  ],
);

/** What came of a try to have an invoice issued. */
export type InvoiceOutcome = 'issued' | 'pending' | 'retried' | 'failed';

const countInvoices = createCounter(
  'fiado_invoice_tries_total',
  'Tries to have an invoice issued, by outcome; retried ones are tried again later',
  ['outcome'],
  (['issued', 'pending', 'retried', 'failed'] as const).map((outcome) => ({ outcome })),
);

export function countInvoiceTry(outcome: InvoiceOutcome): void {
  countInvoices({ outcome });
}

export function countAccepted(source: OrderSource): void {
  countDecision(accepted(source));
}

export function countRejected(source: OrderSource, reason: string): void {
  countDecision(rejected(source, reason));
}

/**
 * Counts an order that was refused for a reason of e7's, and throws on; any other failure is no
 * decision. For the end of a request: a refusal on the way may only mean that the same request was
 * accepted before.
 */
export function throwCounted(source: OrderSource): (error: unknown) => never {
  return (error) => {
    const code = error instanceof AppError ? error.code : undefined;
    const reason = ORDER_REASONS.find((one) => one === code);
    if (reason !== undefined) countRejected(source, reason);
    throw error;
  };
}

function accepted(source: OrderSource) {
  return { source, decision: 'accepted', reason: 'none' };
}

function rejected(source: OrderSource, reason: string) {
  return { source, decision: 'rejected', reason };
}
