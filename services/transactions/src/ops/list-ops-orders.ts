import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { requireCursor } from '@fiado/chassis/db/page-of-rows';
import { query, queryOne } from '@fiado/chassis/db/query';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText, IsIntegerText, IsNonEmptyText } from '@fiado/contracts/decorators';
import { amountOf } from '@fiado/contracts/money';
import { CountedPageQuery, type ListTotals, MAX_COUNTED, pageOf } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { OPS_COLUMNS } from '../orders/order-columns';
import {
  amountFields,
  type InTimeZone,
  type OpsOrder,
  orderNumber,
  presentAmounts,
  transactionFields,
} from '../orders/order-view';
import { ORDER_STATUSES, type OrderStatus } from '../orders/order.rules';
import { walkOrders } from '../orders/walk-orders.sql';

export const opsTransactionFields = {
  transactionId: fields.transactionId,
  incrementalID: orderNumber,
  transactionStatus: transactionFields.transactionStatus,
  wholesalerId: fields.wholesalerId,
  wholesaler: transactionFields.wholesaler,
  wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
  cornerStoreId: fields.cornerStoreId,
  userId: fields.userId,
  orderedAmount: transactionFields.orderedAmount,
  ...amountFields,
  movementDate: transactionFields.movementDate,
  deliveryDate: transactionFields.deliveryDate,
  deliveredAt: transactionFields.deliveredAt,
  deliveryProof: transactionFields.deliveryProof,
  paymentDate: fields.paymentDate,
  paymentTimeZone: fields.paymentTimeZone,
  createdAt: fields.createdAt,
  updatedAt: fields.updatedAt,
};

const opsTransactionAnswer = t.object('OpsTransaction', opsTransactionFields);

export const exampleOpsOrder: t.ExampleOf<typeof opsTransactionAnswer> = {
  transactionStatus: 'delivery',
  orderedAmount: 600,
  deliveryDate: null,
  paymentDate: '2026-10-07T05:59:59.999Z',
  updatedAt: '2026-09-22T15:30:00.012Z',
};

/** Characters of a wholesaler's own id, as in createTransaction. */
const MAX_ORDER_ID = 200;

const SORTS = ['-createdAt', 'createdAt'] as const;

class ListOpsTransactionsQuery extends CountedPageQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @IsOptional()
  @IsIn(ORDER_STATUSES)
  status?: OrderStatus;

  @About('Only orders to which a wholesaler gave this id', 'PED-4711')
  @IsOptional()
  @IsNonEmptyText(MAX_ORDER_ID)
  wholesalerTransactionId?: string;

  @About('Only the order with this number', 42)
  @IsOptional()
  @IsIntegerText(1)
  incrementalID?: number;

  /** First day or moment of creation. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsDateText()
  to?: string;

  @About('Field to sort by, with `-` the latest first', 'createdAt')
  @IsOptional()
  @IsIn(SORTS)
  sort?: (typeof SORTS)[number];
}

export const listOpsTransactionsEndpoint = listEndpoint({
  id: 'listOpsTransactions',
  as: 'transactions.list',
  columns: [
    'transactionId',
    'incrementalID',
    'transactionStatus',
    'wholesaler',
    'wholesalerTransactionId',
    'cornerStoreId',
    'totalAmount',
    'createdAt',
    'paymentDate',
    'paymentTimeZone',
  ],
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions',
  scope: 'viewer',
  summary: 'List the transactions of all wholesalers, newest first',
  description: '`totals` adds up `totalAmountWithInterests`.',
  totals: true,
  query: ListOpsTransactionsQuery,
  page: 'OpsTransactionPage',
  items: { transactions: t.field(opsTransactionAnswer, 'Orders') },
  example: exampleOpsOrder,
  input: (
    { query: { cursor, limit, totals, incrementalID, from, to, sort, ...filter } },
    { config }: Context,
  ) => ({
    cursor,
    limit,
    counts: totals === 'true',
    filter: {
      ...filter,
      incrementalId: incrementalID,
      from: readDate('from', from, config.TIME_ZONE),
      to: readDate('to', to, config.TIME_ZONE),
      oldestFirst: sort === 'createdAt',
    },
  }),
  find: async ({ db }: Context, { filter, cursor, limit, counts }) => {
    await requireCursor(db, cursor, 'transactions');
    const found = await listOpsOrders(db, { filter, cursor, limit: limit + 1 });
    return { ...pageOf(found, limit), totals: counts ? await countOrders(db, filter) : undefined };
  },
  present: presentOpsTransaction,
});

export function presentOpsTransaction(
  order: OpsOrder,
  { config }: InTimeZone,
): t.AnswerOf<typeof opsTransactionAnswer> {
  return t.presentRow(opsTransactionAnswer, order, {
    transactionId: order.id,
    incrementalID: order.incrementalId,
    transactionStatus: order.status,
    wholesaler: order.wholesalerName,
    orderedAmount: order.orderedCents === null ? null : amountOf(order.orderedCents),
    ...presentAmounts(order),
    paymentDate: order.paymentDueAt.toISOString(),
    paymentTimeZone: order.paymentTimeZone ?? config.TIME_ZONE,
  });
}

interface OpsOrderFilter {
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  status?: OrderStatus | undefined;
  wholesalerTransactionId?: string | undefined;
  incrementalId?: number | undefined;
  /** Created at or after. */
  from?: Date | undefined;
  /** Created before. */
  to?: Date | undefined;
  oldestFirst: boolean;
}

const PARAMETERS = { cornerStoreId: '$2', status: '$3', from: '$6', to: '$7', cursor: '$8' };

/** The orders of a page of one wholesaler, in the order of the list. */
function pageOfOne(
  filter: OpsOrderFilter,
  { cursor, ofWholesaler }: { cursor: string | undefined; ofWholesaler: string },
): string {
  const { join, where, order } = walkOrders({ ...filter, cursor }, PARAMETERS);
  return `
    SELECT t.id, t.created_at, t.amount_cents + t.interest_cents + t.iva_cents AS cents
      FROM transactions t ${join}
     WHERE ${ofWholesaler} ${where}
       AND ($4::text IS NULL OR t.wholesaler_transaction_id = ANY(ARRAY[$4, fold_key($4)]))
       AND ($5::bigint IS NULL OR t.incremental_id = $5)
     ORDER BY ${order} LIMIT $9`;
}

/** The orders of a page, of each wholesaler in turn, in the order of the list where it is one alone. */
function pageOfEach(filter: OpsOrderFilter, cursor?: string): string {
  if (filter.cornerStoreId !== undefined || filter.incrementalId !== undefined) {
    const ofWholesaler = '($1::uuid IS NULL OR t.wholesaler_id = $1)';
    return `(${pageOfOne(filter, { cursor, ofWholesaler })}) page`;
  }
  // A page of each wholesaler: every index by time begins with the wholesaler, and one without it
  // would cost each order a write.
  const ofWholesaler = 't.wholesaler_id = wholesalers.wholesaler_id';
  return `(SELECT page.* FROM wholesalers,
                  LATERAL (${pageOfOne(filter, { cursor, ofWholesaler })}) page
            WHERE ($1::uuid IS NULL OR wholesalers.wholesaler_id = $1)) page`;
}

function valuesOf(filter: OpsOrderFilter, cursor: string | undefined, limit: number): unknown[] {
  const { wholesalerId, cornerStoreId, status, incrementalId, from, to } = filter;
  const { wholesalerTransactionId } = filter;
  return [
    wholesalerId,
    cornerStoreId,
    status,
    wholesalerTransactionId,
    incrementalId,
    from,
    to,
    cursor,
    limit,
  ];
}

/** Counts the orders of a list, as many as are read at most. */
function countOrders(db: Db, filter: OpsOrderFilter): Promise<ListTotals> {
  return queryOne<ListTotals>(
    db,
    `SELECT count(*)::integer AS count, coalesce(sum(cents), 0)::bigint AS cents,
            count(*) = $9 AS has_more
       FROM (SELECT cents FROM ${pageOfEach(filter)} LIMIT $9) counted`,
    valuesOf(filter, undefined, MAX_COUNTED),
  );
}

/**
 * Transactions of all wholesalers, newest or oldest first.
 * @param cursor id of the last transaction of the page before
 */
function listOpsOrders(
  db: Db,
  { filter, cursor, limit }: { filter: OpsOrderFilter; cursor: string | undefined; limit: number },
): Promise<OpsOrder[]> {
  const direction = filter.oldestFirst ? 'ASC' : 'DESC';
  return query<OpsOrder>(
    db,
    `SELECT ${OPS_COLUMNS}
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.id = ANY(ARRAY(SELECT id FROM ${pageOfEach(filter, cursor)}
                              ORDER BY page.created_at ${direction}, page.id ${direction} LIMIT $9))
      ORDER BY t.created_at ${direction}, t.id ${direction}`,
    valuesOf(filter, cursor, limit),
  );
}
