import type { Db } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { endpoint, internalEndpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { type DebtsAnswer, debtsCall, type DebtsQuestion } from '@fiado/contracts/account-visit';
import {
  deliveredTransactionCall,
  type DeliveredOrderQuestion,
  paymentCall,
} from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { type Due, receivableStatus } from './due.rules';
import { openReceivable } from './open-receivable';
import { CREDITED, DUE, OUTSTANDING, receivableFields } from './receivable';

/** A receivable as its wholesaler asks for it. Amounts in cents. */
interface ReceivableView extends Due {
  wholesalerId: string;
  userId: string;
  idFactura: string;
  numeroReferencia: string;
  /** Without what was credited. */
  owedCents: number;
  paidCents: number;
  paidAt: Date | null;
  inDefault: boolean;
}

export type PaymentView = Omit<ReceivableView, 'wholesalerId' | 'userId' | 'dueOn'>;

/** Statement of a ReceivableView, without its condition. */
const VIEW = `
  SELECT r.wholesaler_id, r.user_id, r.id_factura, b.numero_referencia,
         r.principal_cents + r.interest_cents + r.iva_cents - ${CREDITED} AS owed_cents,
         r.paid_principal_cents + r.paid_interest_cents + r.paid_iva_cents AS paid_cents,
         ${DUE}, r.paid_at, r.in_default
    FROM receivables r JOIN credit_balances b USING (user_id)`;

const paymentAnswer = t.object('Payment', {
  idFactura: receivableFields.idFactura,
  numeroReferencia: fields.numeroReferencia,
  amountDue: receivableFields.amountDue,
  amountPaid: receivableFields.amountPaid,
  /** Last moment to pay on time. */
  paymentDate: fields.paymentDate,
  paymentTimeZone: fields.paymentTimeZone,
  status: receivableFields.status,
});

export const getPaymentEndpoint = endpoint({
  id: 'getPayment',
  as: 'payments.get',
  tag: 'Payments',
  route: 'GET /v1/transaction/:transactionId/payment',
  scope: 'payments:read',
  names: { transactionId: 'order' },
  summary: 'Get the payment of a delivered transaction',
  description: 'The payer needs both references. The amounts include principal, interest and IVA.',
  errors: ['TRANSACTION_NOT_FOUND', 'RECEIVABLE_NOT_FOUND'],
  answer: paymentAnswer,
  input: ({ id, caller }) => ({
    transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: getPayment,
  present: (view, { clock, config }: Context) =>
    presentPayment(view, clock.now(), config.TIME_ZONE),
});

export const paymentEndpoint = internalEndpoint({
  call: paymentCall,
  allow: ['service:gateway'],
  handle: async (context: Context, question) =>
    presentPayment(
      await getPayment(context, question),
      context.clock.now(),
      context.config.TIME_ZONE,
    ),
});

/** Open debts that the account page lists, and paid ones below them; a store has a few. */
const MAX_OPEN = 100;
const MAX_PAID = 20;

/** The debts of a user at a wholesaler: open ones by their last day, then the newest paid ones. */
export const debtsEndpoint = internalEndpoint({
  call: debtsCall,
  allow: ['service:gateway'],
  handle: async (context: Context, { userId, wholesalerId }): Promise<DebtsAnswer> => {
    const { db, clock, config } = context;
    const ofUser = `${VIEW} WHERE r.user_id = $1 AND r.wholesaler_id = $2`;
    const debts = await query<ReceivableView>(
      db,
      `(${ofUser} AND r.paid_at IS NULL ORDER BY r.due_at, r.id LIMIT ${MAX_OPEN})
       UNION ALL
       (${ofUser} AND r.paid_at IS NOT NULL ORDER BY r.paid_at DESC, r.id LIMIT ${MAX_PAID})`,
      [userId, wholesalerId],
    );
    const open = debts.filter(({ paidAt }) => paidAt === null).length;
    return {
      debts: debts.map((view) => presentPayment(view, clock.now(), config.TIME_ZONE)),
      ...(open === MAX_OPEN && { unlisted: await sumUnlisted(context, { userId, wholesalerId }) }),
      timeZone: config.TIME_ZONE,
    };
  },
});

/** The sums of the open debts beyond MAX_OPEN, for the total on the page. */
async function sumUnlisted(
  { db, clock }: Context,
  { userId, wholesalerId }: DebtsQuestion,
): Promise<NonNullable<DebtsAnswer['unlisted']>> {
  const sums = await queryOne<{ debts: number; dueCents: number; overdueCents: number }>(
    db,
    `SELECT count(*)::int AS debts, coalesce(sum(cents), 0)::bigint AS due_cents,
            coalesce(sum(cents) FILTER (WHERE overdue), 0)::bigint AS overdue_cents
       FROM (SELECT ${OUTSTANDING} AS cents, in_default OR due_at < $3 AS overdue FROM receivables
              WHERE user_id = $1 AND wholesaler_id = $2 AND paid_at IS NULL
              ORDER BY due_at, id OFFSET ${MAX_OPEN}) rest`,
    [userId, wholesalerId, clock.now()],
  );
  return {
    debts: sums.debts,
    amountDue: amountOf(sums.dueCents),
    overdueAmount: amountOf(sums.overdueCents),
  };
}

/**
 * The amount due and the references of an order. Before the delivery's event arrives,
 * transactions is called, so that a payment reference exists as soon as the delivery does.
 * @throws AppError TRANSACTION_NOT_FOUND, also for another wholesaler's
 * @throws AppError RECEIVABLE_NOT_FOUND when the order is not delivered yet
 */
export async function getPayment(
  context: Context,
  question: DeliveredOrderQuestion,
): Promise<ReceivableView> {
  const { transactionId, wholesalerId } = question;
  const known = await findReceivable(context.db, transactionId);
  if (known !== undefined && known.wholesalerId !== wholesalerId) {
    throw new AppError('TRANSACTION_NOT_FOUND');
  }
  if (known !== undefined) return known;

  const { delivered } = await context.transactions.ask(deliveredTransactionCall, question);
  if (delivered === null) throw new AppError('RECEIVABLE_NOT_FOUND');

  await openReceivable(context, { delivered });
  const opened = await findReceivable(context.db, transactionId);
  if (opened === undefined) throw new Error('A receivable that was just opened must be found');
  return opened;
}

function findReceivable(db: Db, transactionId: string): Promise<ReceivableView | undefined> {
  return queryRow(db, `${VIEW} WHERE r.transaction_id = $1`, [transactionId]);
}

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
