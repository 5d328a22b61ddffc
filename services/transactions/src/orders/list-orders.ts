import { IsIn, IsOptional, isUUID, IsUUID } from '@fiado/contracts/class-validator';
import { requireCursor } from '@fiado/chassis/db/page-of-rows';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { awaitedOrdersCall } from '@fiado/contracts/account-visit';
import { IsDateText, IsText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { LimitQuery, type Page, pageOf } from '@fiado/contracts/page';
import { momentWithOffset, readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { presentLinked } from '../links/link';
import { VIEW_COLUMNS } from './order-columns';
import {
  exampleTransaction,
  presentTransaction,
  transactionAnswer,
  type OrderView,
} from './order-view';
import { ORDER_STATUSES, type OrderStatus } from './order.rules';
import { walkOrders } from './walk-orders.sql';

/** Characters of a time with microseconds, `_`, and a UUID. */
const MAX_CURSOR = 64;

class ListTransactionsQuery extends LimitQuery {
  @IsOptional()
  @IsIn(ORDER_STATUSES)
  status?: OrderStatus;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  /** First day or moment of creation. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsDateText()
  to?: string;

  @About(
    'Only items delivered at this ISO 8601 time or later; a date means its start',
    '2026-11-22',
  )
  @IsOptional()
  @IsDateText()
  deliveredFrom?: string;

  @About('Only items delivered before this ISO 8601 time; a date means its start', '2026-11-23')
  @IsOptional()
  @IsDateText()
  deliveredTo?: string;

  @About(
    'Only items paid in full at this ISO 8601 time or later; a date means its start',
    '2026-11-22',
  )
  @IsOptional()
  @IsDateText()
  paidFrom?: string;

  @About('Only items paid in full before this ISO 8601 time; a date means its start', '2026-11-23')
  @IsOptional()
  @IsDateText()
  paidTo?: string;

  @About(
    'Only items that were created or changed at this ISO 8601 time or later, oldest change ' +
      'first; a date means its start',
    '2026-11-22T15:59:00Z',
  )
  @IsOptional()
  @IsDateText()
  updatedSince?: string;

  /** `nextCursor` of the page before: an id, or with updatedSince a time and an id. */
  @IsOptional()
  @IsText(MAX_CURSOR)
  cursor?: string;
}

export const listTransactionsEndpoint = listEndpoint({
  id: 'listTransactions',
  as: 'transactions.list',
  tag: 'Transactions',
  route: 'GET /v1/transaction',
  scope: 'transactions:read',
  names: {},
  summary: 'List transactions, newest first',
  description:
    'A transaction is listed if it matches all filters; `from` and `to` compare the time of its creation. With ' +
    '`updatedSince`: the transactions that were created or changed at that time or later, those with the oldest change first. One that changes while you read the pages is listed again at the ' +
    'end. To follow all transactions, repeat the list, each time with an `updatedSince` that is a ' +
    'minute before the start of the previous list: a change has the time at which it was made, and ' +
    'is listed from its commit on. Expect to read a transaction more than once, also without a ' +
    'visible change. A cursor is valid for the list with `updatedSince`, or for the one without.',
  query: ListTransactionsQuery,
  page: 'TransactionPage',
  items: { transactions: t.field(transactionAnswer, 'Orders') },
  cursor: t.text,
  example: exampleTransaction,
  input: ({ query, caller }, { config }: Context) => ({
    wholesalerId: caller.id,
    limit: query.limit,
    cursor: query.cursor,
    updatedSince: readDate('updatedSince', query.updatedSince, config.TIME_ZONE),
    filter: {
      status: query.status,
      cornerStoreId: query.cornerStoreId,
      ...datesOf(query, config.TIME_ZONE),
    },
  }),
  find: (context: Context, list) =>
    list.updatedSince === undefined ? listNewest(context, list) : listChanged(context, list),
  present: presentTransaction,
});

/** Dates of the query: created, delivered or paid at or after the one, before the other. */
const DATES = ['from', 'to', 'deliveredFrom', 'deliveredTo', 'paidFrom', 'paidTo'] as const;

type Dates = Record<(typeof DATES)[number], Date | undefined>;

const datesOf = (query: ListTransactionsQuery, timeZone: string) =>
  Object.fromEntries(DATES.map((name) => [name, readDate(name, query[name], timeZone)])) as Dates;

interface ListOrders {
  wholesalerId: string;
  filter: Dates & {
    status: OrderStatus | undefined;
    cornerStoreId: string | undefined;
  };
  /** Changed at or after; without it the list is of all transactions, newest first. */
  updatedSince: Date | undefined;
  /** nextCursor of the page before, of a list of the same kind. */
  cursor: string | undefined;
  limit: number;
}

const FILTERS_OF_LIFE = `
     AND ($6::timestamptz IS NULL OR t.delivered_at >= $6)
     AND ($7::timestamptz IS NULL OR t.delivered_at < $7)
     AND ($8::timestamptz IS NULL OR t.paid_at >= $8)
     AND ($9::timestamptz IS NULL OR t.paid_at < $9)`;

const PARAMETERS = { status: '$2', cornerStoreId: '$3', from: '$4', to: '$5', cursor: '$10' };

function filterValues({
  wholesalerId,
  filter,
}: Pick<ListOrders, 'wholesalerId' | 'filter'>): unknown[] {
  const { status = null, cornerStoreId = null } = filter;
  const dates = { ...filter, to: createdBefore(filter) };
  return [wholesalerId, status, cornerStoreId, ...DATES.map((name) => dates[name] ?? null)];
}

/** Only a paid order has the time of its payment, and the newest orders are not paid. */
function withStatus(filter: ListOrders['filter']): ListOrders['filter'] {
  const isOfPaid = filter.paidFrom !== undefined || filter.paidTo !== undefined;
  return { ...filter, status: filter.status ?? (isOfPaid ? 'paid' : undefined) };
}

/**
 * An order is created before it is delivered or paid: the list, which is sorted by creation, begins
 * at the end of such a period instead of now.
 */
function createdBefore({ to, deliveredTo, paidTo }: Dates): Date | undefined {
  const ends = [to, deliveredTo, paidTo].filter((end) => end !== undefined);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

async function listNewest({ db }: Context, list: ListOrders): Promise<Page<OrderView>> {
  const { wholesalerId, cursor, limit } = list;
  const filter = withStatus(list.filter);
  if (cursor !== undefined && !isUUID(cursor)) throw unknownCursor();
  await requireCursor(db, cursor, 'transactions', { wholesaler_id: wholesalerId });
  const listed = { ...filter, to: createdBefore(filter), cursor };
  const { join, where, order } = walkOrders(listed, PARAMETERS);
  const found = await query<OrderView>(
    db,
    `SELECT ${VIEW_COLUMNS}
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id) ${join}
      WHERE t.wholesaler_id = $1 ${where} ${FILTERS_OF_LIFE}
      ORDER BY ${order} LIMIT $11`,
    [...filterValues({ wholesalerId, filter }), cursor, limit + 1],
  );
  return pageOf(found, limit);
}

/** A place in the list of changes: right after an order as it was when its page was read. */
interface ChangePosition {
  /** ISO 8601 in UTC with microseconds, which a Date does not have. */
  updatedAt: string;
  id: string;
}

/**
 * Oldest change first. The cursor is a place in time, not a row: a row that changes moves to the end
 * of the list, so it is listed again, and the rows behind it stay where they are.
 */
async function listChanged({ db }: Context, list: ListOrders): Promise<Page<OrderView>> {
  const { updatedSince, cursor, limit } = list;
  const after = cursor === undefined ? undefined : positionOf(cursor);
  const found = await query<OrderView & ChangePosition>(
    db,
    `SELECT ${VIEW_COLUMNS},
            to_char(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updatedAt"
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.wholesaler_id = $1
       AND ($2::text IS NULL OR t.status = $2)
       AND ($3::uuid IS NULL OR t.corner_store_id = $3)
       AND ($4::timestamptz IS NULL OR t.created_at >= $4)
       AND ($5::timestamptz IS NULL OR t.created_at < $5) ${FILTERS_OF_LIFE}
       AND t.updated_at >= $10
       AND ($11::timestamptz IS NULL OR (t.updated_at, t.id) > ($11, $12::uuid))
     ORDER BY t.updated_at, t.id LIMIT $13`,
    [...filterValues(list), updatedSince, after?.updatedAt, after?.id, limit + 1],
  );
  return pageOf(found, limit, ({ updatedAt, id }) => `${updatedAt}_${id}`);
}

/** As Postgres writes it for the cursor: with microseconds, in UTC. */
const TIME_OF_CURSOR = /^(.{23})\d{3}Z$/;

function positionOf(cursor: string): ChangePosition {
  const [updatedAt = '', id = '', ...rest] = cursor.split('_');
  const toMilliseconds = TIME_OF_CURSOR.exec(updatedAt)?.[1];
  // Written back, since the parser also reads times that Postgres cannot, such as 24:00:00.000001.
  const isTime = momentWithOffset(updatedAt)?.toISOString() === `${toMilliseconds}Z`;
  if (!isTime || !isUUID(id) || rest.length > 0) throw unknownCursor();
  return { updatedAt, id };
}

const unknownCursor = (): ValidationError =>
  new ValidationError(['cursor must be nextCursor of an earlier page of the same list']);

/** Orders that the page lists, at most: a store awaits a few. */
const MAX_AWAITED = 20;

/** The orders of a store at a wholesaler that were confirmed and wait for their delivery, newest first. */
export const listAwaitedOrdersEndpoint = internalEndpoint({
  call: awaitedOrdersCall,
  allow: ['service:gateway'],
  handle: async (context: Context, { cornerStoreId, wholesalerId }) => {
    const views = await query<OrderView>(
      context.db,
      `SELECT ${VIEW_COLUMNS}
         FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
        WHERE t.wholesaler_id = $1 AND t.corner_store_id = $2 AND t.status = 'on-hold'
        ORDER BY t.created_at DESC, t.id LIMIT ${MAX_AWAITED}`,
      [wholesalerId, cornerStoreId],
    );
    return {
      orders: views.map((view) => ({
        transactionId: view.id,
        order: presentLinked(context, view),
      })),
    };
  },
});
