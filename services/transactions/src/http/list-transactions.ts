import { IsIn, IsOptional } from 'class-validator';
import { IsText } from '@fiado/shared/contracts/decorators';
import { requireCursor } from '@fiado/shared/chassis/db/require-cursor';
import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/shared/contracts/page';
import * as t from '@fiado/shared/openapi/json-schema';
import { readDate, startOfDateOrMoment } from '@fiado/shared/request-dates';
import type { Context } from '../context';
import { listTransactionViews } from '../db/transaction-views.repository';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../domain/transaction-status';
import { exampleTransaction, presentTransaction, transactionAnswer } from './transaction-answer';

class ListTransactionsQuery extends PageQuery {
  @IsOptional()
  @IsIn(TRANSACTION_STATUSES)
  status?: TransactionStatus;

  /** First day or moment of creation. */
  @IsOptional()
  @IsText(40)
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsText(40)
  to?: string;
}

export const listTransactionsEndpoint = endpoint({
  id: 'listTransactions',
  tag: 'Transactions',
  method: 'get',
  path: '/v1/transaction',
  allow: ['wholesaler'],
  scope: 'transactions:read',
  summary: 'List transactions, newest first',
  query: ListTransactionsQuery,
  answer: t.object('TransactionPage', {
    transactions: t.listOf(transactionAnswer),
    nextCursor: t.nullable(t.uuid),
  }),
  example: { transactions: [exampleTransaction], nextCursor: null },
  input: ({ query, caller }, { config }: Context) => ({
    wholesalerId: caller.id,
    limit: query.limit,
    filter: {
      status: query.status,
      from: readDate('from', query.from, startOfDateOrMoment, config.TIME_ZONE),
      to: readDate('to', query.to, startOfDateOrMoment, config.TIME_ZONE),
      cursor: query.cursor,
    },
  }),
  handle: async ({ db }, { wholesalerId, limit, filter }) => {
    await requireCursor(db, filter.cursor, {
      table: 'transactions',
      where: 'wholesaler_id = $1',
      values: [wholesalerId],
    });
    const found = await listTransactionViews(db, wholesalerId, { ...filter, limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ transactions: page.map(presentTransaction), nextCursor }),
});
