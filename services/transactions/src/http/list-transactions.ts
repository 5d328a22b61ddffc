import { IsIn, IsOptional } from 'class-validator';
import { IsDateText, IsText } from '@fiado/contracts/decorators';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { LimitQuery } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../domain/transaction-status';
import { listTransactions } from '../use-cases/list-transactions';
import { exampleTransaction, presentTransaction, transactionAnswer } from './transaction-answer';

/** Characters of a time with microseconds, `_`, and a UUID. */
const MAX_CURSOR = 64;

class ListTransactionsQuery extends LimitQuery {
  @IsOptional()
  @IsIn(TRANSACTION_STATUSES)
  status?: TransactionStatus;

  /** First day or moment of creation. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which it was created. */
  @IsOptional()
  @IsDateText()
  to?: string;

  /** Day or moment since which it was created or changed. */
  @IsOptional()
  @IsDateText()
  updatedSince?: string;

  /** `nextCursor` of the page before: an id, or with updatedSince a time and an id. */
  @IsOptional()
  @IsText(MAX_CURSOR)
  cursor?: string;
}

export const listTransactionsEndpoint = endpoint({
  id: 'listTransactions',
  tag: 'Transactions',
  route: 'GET /v1/transaction',
  scope: 'transactions:read',
  summary: 'List transactions, newest first',
  description:
    'With `updatedSince`: the transactions that were created or changed at that time or later, those ' +
    'with the oldest change first. One that changes while you read the pages is listed again at the ' +
    'end. To follow all transactions, repeat the list, each time with an `updatedSince` that is a ' +
    'minute before the start of the previous list: a change has the time at which it was made, and ' +
    'is listed from its commit on. Expect to read a transaction more than once, also without a ' +
    'visible change. A cursor is valid for the list with `updatedSince`, or for the one without.',
  query: ListTransactionsQuery,
  answer: t.page('TransactionPage', { transactions: t.listOf(transactionAnswer) }, t.text),
  example: { transactions: [exampleTransaction], nextCursor: null },
  input: ({ query, caller }, { config }: Context) => ({
    wholesalerId: caller.id,
    limit: query.limit,
    cursor: query.cursor,
    updatedSince: readDate('updatedSince', query.updatedSince, config.TIME_ZONE),
    filter: {
      status: query.status,
      from: readDate('from', query.from, config.TIME_ZONE),
      to: readDate('to', query.to, config.TIME_ZONE),
    },
  }),
  handle: listTransactions,
  present: ({ page, nextCursor }, context: Context) => ({
    transactions: page.map((transaction) => presentTransaction(transaction, context)),
    nextCursor,
  }),
});
