import { endpoint } from '@fiado/chassis/http/endpoint';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import type { ReceivableView } from '../db/receivables.repository';
import { RECEIVABLE_STATUSES, receivableStatus } from '../domain/receivable-status';
import { getPayment } from '../use-cases/get-payment';
import { exampleNotice } from './deposit-answer';

const paymentAnswer = t.object('Payment', {
  idFactura: t.text,
  numeroReferencia: t.text,
  amountDue: t.pesos,
  amountPaid: t.pesos,
  /** Last moment to pay on time. */
  paymentDate: t.timestamp,
  paymentTimeZone: t.text,
  status: t.oneOf(RECEIVABLE_STATUSES),
});

export type PaymentView = Omit<ReceivableView, 'wholesalerId' | 'dueOn'>;

export const getPaymentEndpoint = endpoint({
  id: 'getPayment',
  tag: 'Payments',
  route: 'GET /v1/transaction/:transactionId/payment',
  scope: 'payments:read',
  summary: 'Get the payment of a delivered transaction',
  description: 'The payer needs both references. The amounts include principal, interest and IVA.',
  errors: ['TRANSACTION_NOT_FOUND', 'RECEIVABLE_NOT_FOUND'],
  answer: paymentAnswer,
  example: {
    idFactura: exampleNotice.idFactura,
    numeroReferencia: exampleNotice.numeroReferencia,
    amountDue: 529,
    amountPaid: 0,
    paymentDate: '2026-10-06T05:59:59.999Z',
    paymentTimeZone: 'America/Mexico_City',
    status: 'pending',
  },
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: getPayment,
  present: (view, { clock, config }: Context) =>
    presentPayment(view, clock.now(), config.TIME_ZONE),
});

/**
 * @param now on which depends whether it is overdue
 * @param installationZone of debts that have no time zone
 */
export function presentPayment(
  view: PaymentView,
  now: Date,
  installationZone: string,
): t.AnswerOf<typeof paymentAnswer> {
  return {
    idFactura: view.idFactura,
    numeroReferencia: view.numeroReferencia,
    amountDue: amountOf(view.owedCents - view.paidCents),
    amountPaid: amountOf(view.paidCents),
    paymentDate: view.dueAt.toISOString(),
    paymentTimeZone: view.timeZone ?? installationZone,
    status: receivableStatus(view, now),
  };
}
