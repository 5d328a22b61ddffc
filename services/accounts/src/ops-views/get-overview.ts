import { DateTime } from 'luxon';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import { queryOne } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { countDeadJobs } from '@fiado/chassis/ops-figures';
import { countDeadRows } from '@fiado/chassis/row-jobs/dead-rows';
import type { CallDefinition } from '@fiado/contracts/define';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import {
  AGEING_BUCKETS,
  type MessageFigures,
  messageFiguresCall,
  type OpsFiguresQuestion,
  type OrderFigures,
  orderFiguresCall,
  type PaymentFigures,
  paymentFiguresCall,
} from '@fiado/contracts/ops-figures';
import { CHANGES_TO_EXECUTE } from '../approvals/change-requests.sql';
import type { Context } from '../context';

/** The services behind the parts, in the order of the parts. */
const PARTS = ['transactions', 'payments', 'notifier'] as const;

const waiting = t.object('OverviewWaiting', {
  storesInValidation: t.field(t.count, 'Corner stores in manual validation', 3),
  phonesHeld: t.field(t.count, 'Corner stores whose changed phone number holds their orders', 0),
  pendingChanges: t.field(t.count, 'Changes that wait for a second person', 2),
  unmatchedDeposits: t.field(t.nullable(t.count), 'Deposits that nobody could be found for', 1),
  oldestUnmatchedSeconds: t.field(
    t.nullable(t.count),
    'For how long the oldest of them has waited, in seconds',
    5400,
  ),
  failingWebhooks: t.field(
    t.nullable(t.count),
    'Webhooks that failed for good or wait for another attempt',
    0,
  ),
  disabledEndpoints: t.field(t.nullable(t.count), 'Webhook endpoints that are disabled', 0),
  deadJobs: t.field(t.count, 'Jobs that failed for good, of the services that answered', 0),
});

const orderFigures = t.object('OverviewOrders', {
  asOf: t.time('Time of the sample', '2026-11-22T16:04:31.000Z'),
  orders: t.field(t.count, 'Number of orders', 2),
  totalAmount: t.field(
    t.pesos,
    'Price of the goods in all of them, without interest and IVA',
    1500,
  ),
  hours: t.list(
    t.object('OverviewHour', {
      startsAt: t.time('Start of the hour', '2026-11-22T15:00:00.000Z'),
      orders: t.field(t.count, 'Number of orders', 2),
      totalAmount: t.field(
        t.pesos,
        'Price of the goods in all of them, without interest and IVA',
        1500,
      ),
    }),
    'The hours with orders, oldest first',
  ),
});

const paymentFigures = t.object('OverviewPayments', {
  asOf: t.time('Time of the sample', '2026-11-22T16:04:31.000Z'),
  deliveries: t.field(t.count, 'Deliveries that were booked today', 1),
  deliveredAmount: t.field(t.pesos, 'Price of the delivered goods, without interest and IVA', 500),
  deposits: t.field(t.count, 'Deposits that were received today', 1),
  depositedAmount: t.field(t.pesos, 'Sum of these deposits', 529),
  outstandingAmount: t.field(t.pesos, 'What is owed of all debts', 10_580),
  par30: t.field(
    t.nullable(t.rate),
    'Portfolio at risk: the share of the principal that was more than 30 days late at the end of ' +
      '`par30AsOf`; null if nothing was owed, and before the first day',
    0.05,
  ),
  par30AsOf: t.textOrNull('Last day of the portfolio reports; null before the first', '2026-11-21'),
  ageing: t.list(
    t.object('OverviewAgeing', {
      days: t.field(t.oneOf(AGEING_BUCKETS), 'Days overdue; `0`: not yet'),
      receivables: t.field(t.count, 'Number of debts', 18),
      amountDue: t.field(t.pesos, 'What is owed of them', 9522),
    }),
    'Open debts by the days that they are overdue',
  ),
});

const messageFigures = t.object('OverviewMessages', {
  asOf: t.time('Time of the sample', '2026-11-22T16:04:31.000Z'),
  sent: t.field(t.count, 'Accepted by the SMS provider, or delivered', 40),
  failed: t.field(t.count, 'Failed, expired, or of unknown outcome', 1),
  pending: t.field(t.count, 'Not sent yet', 0),
});

/** Rows of a queue that are counted: what a person sees as "many". */
const MAX_COUNTED = 1_000;

export const getOverviewEndpoint = endpoint({
  id: 'getOverview',
  as: 'overview.get',
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
    asOf: t.time('Time at which the overview was put together', '2026-11-22T16:05:00.000Z'),
    day: t.field(t.text, 'Today in the lender’s time zone', '2026-11-22'),
    unavailable: t.list(
      t.oneOf(PARTS),
      'Services whose part is missing because they did not answer in time',
    ),
    waiting: t.field(waiting, 'What waits for ops; null where the service did not answer'),
    orders: t.field(t.nullable(orderFigures), 'Orders that were created today'),
    payments: t.field(
      t.nullable(paymentFigures),
      'Deliveries and deposits of today, and all open debts',
    ),
    messages: t.field(t.nullable(messageFigures), 'SMS that were requested today'),
  }),
  example: {
    unavailable: ['notifier'],
    waiting: {
      failingWebhooks: null,
      disabledEndpoints: null,
    },
    orders: {},
    payments: {
      ageing: [
        { days: '0' },
        { days: '1-7', receivables: 1, amountDue: 529 },
        { days: '8-30', receivables: 0, amountDue: 0 },
        { days: '31-60', receivables: 1, amountDue: 529 },
        { days: '61+', receivables: 0, amountDue: 0 },
      ],
    },
  },
  input: () => undefined,
  // What waits for ops, and the figures of today. Each other service answers from a sample; one
  // that does not answer leaves its part null.
  handle: async (context: Context) => {
    const { db, clock, config, transactions, payments, notifier } = context;
    const today = DateTime.fromJSDate(clock.now(), { zone: config.TIME_ZONE }).startOf('day');
    const since = today.toUTC().toISO() ?? '';
    const [own, dead, deadChanges, ofOrders, ofPayments, ofMessages] = await Promise.all([
      queryOne<Pick<Overview, 'storesInValidation' | 'phonesHeld' | 'pendingChanges'>>(
        context.db,
        `SELECT (SELECT count(*)::int FROM (
               SELECT FROM corner_stores
                -- The CASE is that of the index corner_stores_of_status.
                WHERE CASE WHEN status = 'approved' AND overdue THEN 'in-payment-default'
                           ELSE status END = 'in-manual-validation'
                  AND pause IS NULL
                LIMIT ${MAX_COUNTED}) waiting) AS "storesInValidation",
            (SELECT count(*)::int FROM (
               SELECT DISTINCT corner_store_id FROM phone_changes
                WHERE held_until > now() LIMIT ${MAX_COUNTED}) held) AS "phonesHeld",
            (SELECT count(*)::int FROM (
               SELECT FROM change_requests
                WHERE status = 'pending' AND expires_at > now()
                LIMIT ${MAX_COUNTED}) undecided) AS "pendingChanges"`,
      ),
      countDeadJobs(db),
      countDeadRows(db, CHANGES_TO_EXECUTE),
      figuresOf(transactions, orderFiguresCall, since),
      figuresOf(payments, paymentFiguresCall, since),
      figuresOf(notifier, messageFiguresCall, since),
    ]);
    return {
      day: today.toISODate() ?? '',
      asOf: dead.asOf,
      ...own,
      deadJobs: dead.count + deadChanges,
      orders: ofOrders,
      payments: ofPayments,
      messages: ofMessages,
    };
  },
  present: (overview) => ({
    asOf: overview.asOf.toISOString(),
    day: overview.day,
    unavailable: PARTS.filter(
      (_, at) => [overview.orders, overview.payments, overview.messages][at] === null,
    ),
    waiting: presentWaiting(overview),
    orders: overview.orders && presentOrders(overview.orders),
    payments: overview.payments && presentPayments(overview.payments),
    messages: overview.messages && t.presentRow(messageFigures, overview.messages, {}),
  }),
});

interface Overview {
  /** The day of the lender: `2026-11-23`. */
  day: string;
  asOf: Date;
  storesInValidation: number;
  phonesHeld: number;
  pendingChanges: number;
  deadJobs: number;
  /** Null while the service cannot be asked, or has not finished its first sample. */
  orders: OrderFigures | null;
  payments: PaymentFigures | null;
  messages: MessageFigures | null;
}

async function figuresOf<Figures extends object>(
  service: InternalClient,
  call: CallDefinition<OpsFiguresQuestion, Figures>,
  since: string,
): Promise<Figures | null> {
  try {
    return await service.ask(call, { since });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

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

function presentOrders(figures: OrderFigures): t.AnswerOf<typeof orderFigures> {
  return t.presentRow(orderFigures, figures, {
    totalAmount: amountOf(figures.amountCents),
    hours: figures.hours.map(({ startsAt, orders, amountCents }) => ({
      startsAt,
      orders,
      totalAmount: amountOf(amountCents),
    })),
  });
}

function presentPayments(payments: PaymentFigures): t.AnswerOf<typeof paymentFigures> {
  const { ageing } = payments;
  const outstandingCents = ageing.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return t.presentRow(paymentFigures, payments, {
    deliveredAmount: amountOf(payments.deliveredCents),
    depositedAmount: amountOf(payments.depositedCents),
    outstandingAmount: amountOf(outstandingCents),
    // A payments of the release before has neither.
    par30: payments.par30 ?? null,
    par30AsOf: payments.par30AsOf ?? null,
    ageing: ageing.map(({ bucket, receivables, amountCents }) => ({
      days: bucket,
      receivables,
      amountDue: amountOf(amountCents),
    })),
  });
}
