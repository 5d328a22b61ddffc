import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_INVOICE, EXAMPLE_ORDER } from '@fiado/contracts/event-examples';
import { VERIFICATION_STATUSES } from '@fiado/contracts/verification-rules';
import type { Context } from '../context';
import {
  creditEntryAnswer,
  exampleCreditEntry,
  findEntriesOfOrder,
  presentCreditEntry,
} from '../credit-lines/list-credit-entries';
import { creditNoteAnswer, findCreditNotes, presentCreditNote } from '../credit-notes/credit-note';
import { MAX_WRONG_WORDS_IN_ALL } from '../deliveries/delivery.rules';
import { findInvoice, invoiceAnswer, presentInvoice } from '../invoices/view-invoice';
import { OPS_COLUMNS, PRODUCTS } from '../orders/order-columns';
import {
  findVerification,
  type OpsOrder,
  presentProduct,
  type ProductLineView,
  transactionFields,
} from '../orders/order-view';
import { statementFields } from '../statements/statement';
import { exampleOpsOrder, opsTransactionFields, presentOpsTransaction } from './list-ops-orders';

const opsVerification = t.object('OpsVerification', {
  verificationId: fields.verificationId,
  status: t.field(
    t.oneOf(VERIFICATION_STATUSES),
    '`pending`: waits for the code. `approved`: confirmed. `cancelled`: the order was cancelled or has expired',
  ),
  sends: t.field(t.count, 'Number of SMS with a code', 1),
  expiresAt: fields.expiresAt,
  checksLeft: t.field(
    t.count,
    'How often the newest code may still be tried; 0 if it is not valid any more',
    5,
  ),
});

const deliveryWordState = t.object('DeliveryWordState', {
  sends: t.field(t.count, 'Number of SMS with a word', 1),
  wrongWords: t.field(t.count, 'Wrong words since this word was made', 0),
  wrongWordsInAll: t.field(
    t.count,
    'Wrong words since the order was confirmed, or since ops reset the word',
    0,
  ),
  isLocked: t.field(
    t.flag,
    'Whether too many wrong words lock the order until ops resets the word',
  ),
  isVoid: t.field(t.flag, 'Whether the phone number was changed since the word was sent'),
});

const statementOfOrder = t.object('OrderStatement', {
  statementId: statementFields.statementId,
  number: statementFields.number,
});

export const showTransactionEndpoint = endpoint({
  id: 'showTransaction',
  as: 'transactions.show',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions/:transactionId',
  scope: 'viewer',
  summary: 'Show a transaction of any wholesaler',
  description:
    'With its products, the states of its code and delivery word, its credit entries, its ' +
    'credit notes and its invoice. Never the code or the word, and not the metadata, which may hold personal data. Its ' +
    'SMS are in `POST /admin/messages/search`, its debt in `GET /admin/receivables`, with `transactionId`.',
  errors: ['TRANSACTION_NOT_FOUND'],
  answer: t.object('OpsTransactionDetail', {
    ...opsTransactionFields,
    interestRate: t.field(t.rate, 'Interest rate with which the order was created', 0.05),
    ivaRate: t.field(t.rate, 'IVA rate with which the order was created', 0.16),
    commissionRate: t.field(t.rate, 'Commission rate with which the order was created', 0.02),
    linked: t.field(t.flag, 'Whether the corner store confirms it on a page behind a link'),
    driverId: t.nullable(fields.driverId),
    expiresAt: t.time(
      'Time at which it expires if it is not confirmed, or not delivered, by then',
      '2026-10-21T16:04:05.678Z',
    ),
    products: transactionFields.products,
    verification: t.field(
      t.nullable(opsVerification),
      'The newest verification of the order; null if it has none',
    ),
    deliveryWord: t.field(
      t.nullable(deliveryWordState),
      'State of its delivery word, without the word; null if it has none',
    ),
    creditEntries: t.list(creditEntryAnswer, 'Changes of the used credit'),
    creditNotes: t.list(creditNoteAnswer, 'Credit notes of the order, oldest first'),
    invoice: t.field(t.nullable(invoiceAnswer), 'Its invoice; null if it has none'),
    statement: t.field(
      t.nullable(statementOfOrder),
      'The closed statement that has its delivery; null while none has it',
    ),
  }),
  example: {
    ...exampleOpsOrder,
    linked: false,
    driverId: null,
    products: EXAMPLE_ORDER.products,
    verification: {
      status: 'approved',
      expiresAt: '2026-09-21T16:15:00.000Z',
      checksLeft: 0,
    },
    deliveryWord: { isLocked: false, isVoid: false },
    creditEntries: [exampleCreditEntry],
    creditNotes: [],
    invoice: EXAMPLE_INVOICE,
    statement: {},
  },
  input: ({ id }) => ({ transactionId: id('transactionId', 'TRANSACTION_NOT_FOUND') }),
  // All that ops may know of an order: never its code or its word.
  handle: async ({ db }: Context, { transactionId }) => {
    const order = await findOpsOrder(db, transactionId);
    if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    const [verification, deliveryWord, creditEntries, creditNotes, invoice, statement] =
      await Promise.all([
        findVerification(db, transactionId),
        findDeliveryWordState(db, transactionId),
        findEntriesOfOrder(db, order),
        findCreditNotes(db, transactionId),
        findInvoice(db, transactionId),
        findStatement(db, transactionId),
      ]);
    return { order, verification, deliveryWord, creditEntries, creditNotes, invoice, statement };
  },
  present: (
    { order, verification, deliveryWord, creditEntries, creditNotes, invoice, statement },
    context: Context,
  ) => ({
    ...presentOpsTransaction(order, context),
    interestRate: Number(order.interestRate),
    ivaRate: Number(order.ivaRate),
    commissionRate: Number(order.commissionRate),
    linked: order.linked,
    driverId: order.driverId,
    expiresAt: order.expiresAt.toISOString(),
    products: order.products.map(presentProduct),
    verification:
      verification === undefined
        ? null
        : { ...verification, expiresAt: verification.expiresAt.toISOString() },
    deliveryWord: deliveryWord ?? null,
    creditEntries: creditEntries.map(presentCreditEntry),
    creditNotes: creditNotes.map(presentCreditNote),
    invoice: invoice === undefined ? null : presentInvoice(invoice),
    statement: statement ?? null,
  }),
});

/** An order with what ops may know of it: no metadata, place or word. */
interface OpsOrderDetail extends OpsOrder {
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  linked: boolean;
  driverId: string | null;
  expiresAt: Date;
  products: ProductLineView[];
}

/** An order of any wholesaler, for ops. */
function findOpsOrder(db: Db, transactionId: string): Promise<OpsOrderDetail | undefined> {
  return queryRow<OpsOrderDetail>(
    db,
    `SELECT ${OPS_COLUMNS}, trim_scale(t.interest_rate)::text AS interest_rate,
            trim_scale(t.iva_rate)::text AS iva_rate,
            trim_scale(t.commission_rate)::text AS commission_rate, t.linked, t.driver_id,
            t.expires_at, ${PRODUCTS}
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.id = $1`,
    [transactionId],
  );
}

/** How often the word was sent and tried; undefined without one. The word itself stays sealed. */
function findDeliveryWordState(
  db: Db,
  transactionId: string,
): Promise<t.AnswerOf<typeof deliveryWordState> | undefined> {
  return queryRow(
    db,
    `SELECT word.sends, word.wrong_checks AS "wrongWords",
            word.wrong_checks_in_all AS "wrongWordsInAll",
            word.wrong_checks_in_all >= $2 AS "isLocked",
            word.phone_changes <> customer.phone_changes AS "isVoid"
       FROM delivery_words word
       JOIN transactions t ON t.id = word.transaction_id
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE word.transaction_id = $1`,
    [transactionId, MAX_WRONG_WORDS_IN_ALL],
  );
}

/** The statement that has the delivery of an order; undefined while none has it. */
function findStatement(
  db: Db,
  transactionId: string,
): Promise<t.AnswerOf<typeof statementOfOrder> | undefined> {
  return queryRow(
    db,
    `SELECT s.id AS "statementId", s.number
       FROM settlement_lines l JOIN statements s ON s.id = l.statement_id
      WHERE l.kind = 'delivery' AND l.source_id = $1`,
    [transactionId],
  );
}
