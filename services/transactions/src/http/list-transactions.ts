import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { endpoint } from '@fiado/shared/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/shared/contracts/page';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { listOf, nullable, object, uuid } from '@fiado/shared/openapi/json-schema';
import { startOfDateOrMoment } from '@fiado/shared/request-dates';
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
  @IsString()
  @MaxLength(40)
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsString()
  @MaxLength(40)
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
  answer: object('TransactionPage', {
    transactions: listOf(transactionAnswer),
    nextCursor: nullable(uuid),
  }),
  example: { transactions: [exampleTransaction], nextCursor: null },
  input: ({ query, caller }, { config }: Context) => ({
    wholesalerId: caller.id,
    limit: query.limit,
    filter: {
      status: query.status,
      from: momentOf(query, 'from', config.TIME_ZONE),
      to: momentOf(query, 'to', config.TIME_ZONE),
      cursor: query.cursor,
    },
  }),
  handle: async ({ db }, { wholesalerId, limit, filter }) => {
    const found = await listTransactionViews(db, wholesalerId, { ...filter, limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }) => ({ transactions: page.map(presentTransaction), nextCursor }),
});

/** @throws ValidationError for a text that is no date, or a date that no calendar has */
function momentOf(
  query: ListTransactionsQuery,
  name: 'from' | 'to',
  timeZone: string,
): Date | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const moment = startOfDateOrMoment(value, timeZone);
  if (moment !== undefined) return moment;
  throw new ValidationError([`${name} must be a real ISO 8601 date or timestamp`]);
}
