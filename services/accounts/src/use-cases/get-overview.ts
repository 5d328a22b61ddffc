import { queryOne } from '@fiado/chassis/db/query';
import { countDeadJobs } from '@fiado/chassis/ops-figures';
import type { InternalClient } from '@fiado/chassis/clients/internal-client';
import type { CallDefinition } from '@fiado/contracts/define-call';
import { AppError } from '@fiado/contracts/errors';
import {
  messageFiguresCall,
  orderFiguresCall,
  paymentFiguresCall,
  type MessageFigures,
  type OpsFiguresQuestion,
  type OrderFigures,
  type PaymentFigures,
} from '@fiado/contracts/ops-figures';
import { DateTime } from 'luxon';
import type { Context } from '../context';

/** Rows of a queue that are counted: what a person sees as "many". */
const MAX_COUNTED = 1_000;

export interface Overview {
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

/**
 * What waits for ops, and the figures of today. Each other service answers from a sample; one that does
 * not answer leaves its part null.
 */
export async function getOverview(context: Context): Promise<Overview> {
  const { db, clock, config, transactions, payments, notifier } = context;
  const today = DateTime.fromJSDate(clock.now(), { zone: config.TIME_ZONE }).startOf('day');
  const since = today.toUTC().toISO() ?? '';
  const [own, dead, ofOrders, ofPayments, ofMessages] = await Promise.all([
    countWaiting(context),
    countDeadJobs(db),
    figuresOf(transactions, orderFiguresCall, since),
    figuresOf(payments, paymentFiguresCall, since),
    figuresOf(notifier, messageFiguresCall, since),
  ]);
  return {
    day: today.toISODate() ?? '',
    asOf: dead.asOf,
    ...own,
    deadJobs: dead.count,
    orders: ofOrders,
    payments: ofPayments,
    messages: ofMessages,
  };
}

function countWaiting({
  db,
}: Context): Promise<Pick<Overview, 'storesInValidation' | 'phonesHeld' | 'pendingChanges'>> {
  return queryOne(
    db,
    `SELECT (SELECT count(*)::int FROM (
               SELECT FROM corner_stores
                -- The CASE is that of the index corner_stores_of_status.
                WHERE CASE WHEN status = 'approved' AND overdue THEN 'in-payment-default'
                           ELSE status END = 'in-manual-validation'
                LIMIT ${MAX_COUNTED}) waiting) AS "storesInValidation",
            (SELECT count(*)::int FROM (
               SELECT DISTINCT corner_store_id FROM phone_changes
                WHERE held_until > now() LIMIT ${MAX_COUNTED}) held) AS "phonesHeld",
            (SELECT count(*)::int FROM (
               SELECT FROM change_requests
                WHERE status = 'pending' AND expires_at > now()
                LIMIT ${MAX_COUNTED}) undecided) AS "pendingChanges"`,
  );
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
