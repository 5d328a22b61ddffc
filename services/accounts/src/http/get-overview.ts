import { endpoint } from '@fiado/chassis/http/endpoint';
import { AGEING_BUCKETS, type PaymentFigures } from '@fiado/contracts/ops-figures';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import { parAfter30Days } from '../domain/portfolio-at-risk';
import { getOverview, type Overview } from '../use-cases/get-overview';

/** The services behind the parts, in the order of the parts. */
const PARTS = ['transactions', 'payments', 'notifier'] as const;

const waiting = t.object('OverviewWaiting', {
  storesInValidation: t.count,
  phonesHeld: t.count,
  pendingChanges: t.count,
  unmatchedDeposits: t.nullable(t.count),
  oldestUnmatchedSeconds: t.nullable(t.count),
  failingWebhooks: t.nullable(t.count),
  disabledEndpoints: t.nullable(t.count),
  deadJobs: t.count,
});

const orderFigures = t.object('OverviewOrders', {
  asOf: t.timestamp,
  orders: t.count,
  totalAmount: t.pesos,
  hours: t.listOf(
    t.object('OverviewHour', { startsAt: t.timestamp, orders: t.count, totalAmount: t.pesos }),
  ),
});

const paymentFigures = t.object('OverviewPayments', {
  asOf: t.timestamp,
  deliveries: t.count,
  deliveredAmount: t.pesos,
  deposits: t.count,
  depositedAmount: t.pesos,
  outstandingAmount: t.pesos,
  par30: t.nullable(t.rate),
  ageing: t.listOf(
    t.object('OverviewAgeing', {
      days: t.oneOf(AGEING_BUCKETS),
      receivables: t.count,
      amountDue: t.pesos,
    }),
  ),
});

const messageFigures = t.object('OverviewMessages', {
  asOf: t.timestamp,
  sent: t.count,
  failed: t.count,
  pending: t.count,
});

export const getOverviewEndpoint = endpoint({
  id: 'getOverview',
  tag: 'Ops: operation',
  route: 'GET /v1/admin/overview',
  scope: 'viewer',
  summary: 'Show what waits for ops, and the figures of today',
  description:
    'Today is the day of the lender’s time zone. `orders`, `payments` and `messages` are samples that ' +
    'are at most a minute old; `asOf` is their time. A service that does not answer in time leaves ' +
    'its part null, and is in `unavailable`: ask again. Counts of `waiting` end at 1,000, except ' +
    'those of deposits and dead jobs.',
  answer: t.object('Overview', {
    asOf: t.timestamp,
    day: t.text,
    unavailable: t.listOf(t.oneOf(PARTS)),
    waiting,
    orders: t.nullable(orderFigures),
    payments: t.nullable(paymentFigures),
    messages: t.nullable(messageFigures),
  }),
  example: {
    asOf: '2026-11-22T16:05:00.000Z',
    day: '2026-11-22',
    unavailable: ['notifier'],
    waiting: {
      storesInValidation: 3,
      phonesHeld: 0,
      pendingChanges: 2,
      unmatchedDeposits: 1,
      oldestUnmatchedSeconds: 5400,
      failingWebhooks: null,
      disabledEndpoints: null,
      deadJobs: 0,
    },
    orders: {
      asOf: '2026-11-22T16:04:31.000Z',
      orders: 2,
      totalAmount: 1500,
      hours: [{ startsAt: '2026-11-22T15:00:00.000Z', orders: 2, totalAmount: 1500 }],
    },
    payments: {
      asOf: '2026-11-22T16:04:31.000Z',
      deliveries: 1,
      deliveredAmount: 500,
      deposits: 1,
      depositedAmount: 529,
      outstandingAmount: 10_580,
      par30: 0.05,
      ageing: [
        { days: '0', receivables: 18, amountDue: 9_522 },
        { days: '1-7', receivables: 1, amountDue: 529 },
        { days: '8-30', receivables: 0, amountDue: 0 },
        { days: '31-60', receivables: 1, amountDue: 529 },
        { days: '61+', receivables: 0, amountDue: 0 },
      ],
    },
    messages: null,
  },
  input: () => undefined,
  handle: getOverview,
  present: (overview) => ({
    asOf: overview.asOf.toISOString(),
    day: overview.day,
    unavailable: PARTS.filter(
      (_, at) => [overview.orders, overview.payments, overview.messages][at] === null,
    ),
    waiting: presentWaiting(overview),
    orders: overview.orders && {
      asOf: overview.orders.asOf,
      orders: overview.orders.orders,
      totalAmount: amountOf(overview.orders.amountCents),
      hours: overview.orders.hours.map(({ startsAt, orders, amountCents }) => ({
        startsAt,
        orders,
        totalAmount: amountOf(amountCents),
      })),
    },
    payments: overview.payments && presentPayments(overview.payments),
    messages: overview.messages && {
      asOf: overview.messages.asOf,
      sent: overview.messages.sent,
      failed: overview.messages.failed,
      pending: overview.messages.pending,
    },
  }),
});

function presentWaiting(overview: Overview): t.AnswerOf<typeof waiting> {
  const { storesInValidation, phonesHeld, pendingChanges, orders, payments, messages } = overview;
  const parts = [orders, payments, messages];
  return {
    storesInValidation,
    phonesHeld,
    pendingChanges,
    unmatchedDeposits: payments?.unmatchedDeposits ?? null,
    oldestUnmatchedSeconds: payments?.oldestUnmatchedSeconds ?? null,
    failingWebhooks: messages?.failingWebhooks ?? null,
    disabledEndpoints: messages?.disabledEndpoints ?? null,
    deadJobs: parts.reduce((sum, part) => sum + (part?.deadJobs ?? 0), overview.deadJobs),
  };
}

function presentPayments(payments: PaymentFigures): t.AnswerOf<typeof paymentFigures> {
  const { ageing } = payments;
  const outstandingCents = ageing.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return {
    asOf: payments.asOf,
    deliveries: payments.deliveries,
    deliveredAmount: amountOf(payments.deliveredCents),
    deposits: payments.deposits,
    depositedAmount: amountOf(payments.depositedCents),
    outstandingAmount: amountOf(outstandingCents),
    par30: parAfter30Days(ageing),
    ageing: ageing.map(({ bucket, receivables, amountCents }) => ({
      days: bucket,
      receivables,
      amountDue: amountOf(amountCents),
    })),
  };
}
