import type { Db } from '@fiado/chassis/db/database';
import { rowsWithKey } from '@fiado/chassis/db/folded-keys';
import { queryNamed, queryRow } from '@fiado/chassis/db/query';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { EXAMPLE_ORDER, EXAMPLE_SPEC_ORDER } from '@fiado/contracts/event-examples';
import { JsonText } from '@fiado/contracts/json-text';
import { amountOf } from '@fiado/contracts/money';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import { DELIVERY_PROOFS, type DeliveryProof } from '../deliveries/decide-delivery.rules';
import { VIEW_COLUMNS } from './order-columns';
import { type Order, ORDER_KEY, ORDER_STATUSES, type OrderStatus } from './order.rules';
import type { Price } from './pricing.rules';
import type { VerificationRow } from '../codes/verification.entity';

/** An order with all that a wholesaler may read of it. */
export interface OrderView
  extends Stored<Omit<Order, 'products' | 'metadata'>>, Omit<Price, 'commissionCents'> {
  id: string;
  userId: string;
  status: OrderStatus;
  /** Null if it was delivered before this was kept. */
  orderedCents: number | null;
  movementDate: Date;
  deliveredAt: Date | null;
  /** Null before the delivery, and for one that the release before reported. */
  deliveryProof: DeliveryProof | null;
  /** When it was paid in full; null also if that was before this was kept. */
  paidAt: Date | null;
  paymentDueAt: Date;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  products: ProductLineView[];
  /** JSON as it was sent. */
  metadata: string | null;
  wholesalerName: string;
}

/** An order in a list for ops: ids, amounts, status and times. */
export interface OpsOrder extends Omit<OrderView, 'products' | 'metadata'> {
  incrementalId: number;
  wholesalerId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A type with null, as a table has it, in place of undefined. */
type Stored<Type> = {
  [Field in keyof Type]-?: undefined extends Type[Field]
    ? Exclude<Type[Field], undefined> | null
    : Type[Field];
};

/** A product line as its JSON leaves the database: times are ISO texts. */
export interface ProductLineView {
  id: string;
  externalSKU: string;
  name: string;
  quantity: number;
  createdAt: string;
  updatedAt: string;
}

export const productLine = t.object('ProductLine', {
  id: t.id('Id of the line', '3c1b7d52-0f5e-4b5e-8a53-1d9d51b7a001'),
  externalSKU: t.field(t.text, 'The wholesaler’s own id of the product', 'REF-600'),
  name: t.field(t.text, 'Name of the product', 'Refresco 600 ml'),
  quantity: fields.quantity,
  createdAt: fields.createdAt,
  updatedAt: fields.updatedAt,
});

export const orderNumber = t.field(
  t.count,
  'Number of the order, for people; unique, with gaps, and not in the order of time',
  42,
);

/** The cost of an order, in pesos. */
export const amountFields = {
  totalAmount: fields.totalAmount,
  interests: fields.interests,
  IVAAmount: fields.IVAAmount,
  totalAmountWithInterests: t.field(
    t.pesos,
    'Sum of `totalAmount`, `interests` and `IVAAmount`: what the corner store owes',
    529,
  ),
};

/** The specification's transaction resource. */
const specTransactionFields = {
  transactionId: fields.transactionId,
  cornerStoreId: fields.cornerStoreId,
  userId: fields.userId,
  transactionStatus: t.field(t.oneOf(ORDER_STATUSES), 'State of the order; see “Life of an order”'),
  wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
  movementDate: t.time('Time at which the order was created', '2026-09-21T16:04:05.678Z'),
  ...amountFields,
  paymentDate: fields.paymentDate,
  deliveryDate: t.timeOrNull(
    'Expected delivery: an ISO 8601 time or date in the future, at most a year ahead',
    '2026-11-30T18:00:00.000Z',
  ),
  products: t.list(productLine, 'Lines of the order'),
  metadata: fields.metadata,
  wholesaler: t.field(t.text, 'Name of the wholesaler', 'Abarrotes del Norte'),
};

export const specTransactionAnswer = t.object('SpecTransaction', specTransactionFields);

export const exampleSpecTransaction: t.ExampleOf<typeof specTransactionAnswer> = {
  ...EXAMPLE_SPEC_ORDER,
  transactionStatus: 'on-hold',
};

export const transactionFields = {
  ...specTransactionFields,
  orderedAmount: t.field(
    t.nullable(t.pesos),
    'Price of the goods that were ordered, which stays when another amount is delivered; null ' +
      'for an order that was delivered with 1.0.0',
    500,
  ),
  paymentTimeZone: fields.paymentTimeZone,
  deliveredAt: t.timeOrNull(
    'Time at which the delivery was reported; null before it',
    '2026-09-22T15:30:00.000Z',
  ),
  deliveryProof: t.field(
    t.nullable(t.oneOf(DELIVERY_PROOFS)),
    'What shows that the corner store got its goods: `word`, its delivery word was right; `none`, only the ' +
      'wholesaler’s report. Null before the delivery, and for one that was reported with 1.0.0',
    'word',
  ),
  paidAt: t.timeOrNull(
    'Time at which the order was paid in full; null before it and after a reversal, and for an ' +
      'order that was paid with 1.0.0',
    '2026-12-01T16:15:01.234Z',
  ),
};

export const transactionAnswer = t.object('Transaction', transactionFields);

export const exampleTransaction: t.ExampleOf<typeof transactionAnswer> = {
  ...EXAMPLE_ORDER,
  transactionStatus: 'on-hold',
};

/** Where the time zone of an order that has none of its own comes from. */
export interface InTimeZone {
  config: { TIME_ZONE: string };
}

export function presentTransaction(
  order: OrderView,
  { config }: InTimeZone,
): t.AnswerOf<typeof transactionAnswer> {
  const { orderedCents, paymentTimeZone, deliveredAt, deliveryProof, paidAt } = order;
  return {
    ...presentSpecTransaction(order),
    orderedAmount: orderedCents === null ? null : amountOf(orderedCents),
    paymentTimeZone: paymentTimeZone ?? config.TIME_ZONE,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    deliveryProof,
    paidAt: paidAt?.toISOString() ?? null,
  };
}

export function presentSpecTransaction(order: OrderView): t.AnswerOf<typeof specTransactionAnswer> {
  return {
    transactionId: order.id,
    cornerStoreId: order.cornerStoreId,
    userId: order.userId,
    transactionStatus: order.status,
    wholesalerTransactionId: order.wholesalerTransactionId,
    movementDate: order.movementDate.toISOString(),
    ...presentAmounts(order),
    paymentDate: order.paymentDueAt.toISOString(),
    deliveryDate: order.deliveryDate?.toISOString() ?? null,
    products: order.products.map(presentProduct),
    metadata: order.metadata === null ? {} : new JsonText(order.metadata),
    wholesaler: order.wholesalerName,
  };
}

export function presentAmounts({
  amountCents,
  interestCents,
  ivaCents,
}: Pick<OrderView, 'amountCents' | 'interestCents' | 'ivaCents'>) {
  return {
    totalAmount: amountOf(amountCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    totalAmountWithInterests: amountOf(amountCents + interestCents + ivaCents),
  };
}

export function presentProduct(line: ProductLineView): t.AnswerOf<typeof productLine> {
  return {
    id: line.id,
    externalSKU: line.externalSKU,
    name: line.name,
    quantity: line.quantity,
    createdAt: new Date(line.createdAt).toISOString(),
    updatedAt: new Date(line.updatedAt).toISOString(),
  };
}

/**
 * An order of a wholesaler, by our id or by the wholesaler's id, however it is spelled (the newest).
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function requireOrderView(
  db: Db,
  wholesalerId: string,
  id: { transactionId: string } | { wholesalerTransactionId: string },
): Promise<OrderView> {
  const [name, isAsked, value] =
    'transactionId' in id
      ? (['find-transaction', 't.id = $2', id.transactionId] as const)
      : (['find-order', `t.id = (${NEWEST_OF_ORDER_ID})`, id.wholesalerTransactionId] as const);
  const [row] = await queryNamed<OrderView>(
    db,
    name,
    `SELECT ${VIEW_COLUMNS}
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.wholesaler_id = $1 AND ${isAsked}`,
    [wholesalerId, value],
  );
  if (row === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  return row;
}

/**
 * The newest order with the id $2 of wholesaler $1. One that has ended is found by its very spelling, or by
 * the folded one. One whose id collides is found by its own spelling alone, before the others. Each spelling is a look-up
 * of its own (OFFSET 0): planned on an empty table, both in one would read all orders of the wholesaler.
 */
const NEWEST_OF_ORDER_ID = `
  SELECT id FROM (
    SELECT named.* FROM unnest(ARRAY[$2, fold_key($2)]) AS spelling, LATERAL (
      SELECT id, created_at, key_collides FROM transactions
       WHERE wholesaler_id = $1 AND wholesaler_transaction_id = spelling OFFSET 0) named
    UNION ALL
    ${rowsWithKey(ORDER_KEY, 'found.id, found.created_at, NULL::boolean', { of: ['$1'], asked: '$2' })}) spelled
   ORDER BY key_collides IS TRUE DESC, created_at DESC LIMIT 1`;

/** The confirmation of an order, and its code. */
export interface StoredVerification extends Pick<VerificationRow, 'status' | 'expiresAt'> {
  verificationId: VerificationRow['id'];
  /** SMS with the code. */
  sends: VerificationRow['sends'];
  /** How often the code may still be tried through the API; 0 if it is not valid any more. */
  checksLeft: number;
}

/** The confirmation of an order; undefined without one. */
export function findVerification(
  db: Db,
  transactionId: string,
): Promise<StoredVerification | undefined> {
  return queryRow<StoredVerification>(
    db,
    `SELECT verification.id AS "verificationId", verification.status, verification.sends,
            verification.expires_at,
            CASE WHEN verification.status = 'pending' AND verification.expires_at > now()
                  AND verification.phone_changes = customer.phone_changes
                 THEN $2 - verification.checks ELSE 0 END AS "checksLeft"
       FROM verifications verification
       JOIN transactions t ON t.id = verification.transaction_id
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE verification.transaction_id = $1`,
    [transactionId, MAX_CHECKS],
  );
}
