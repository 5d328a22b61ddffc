import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsDateText, IsIntegerText, IsNonEmptyText } from '@fiado/contracts/decorators';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { listOpsTransactions } from '../db/ops-transactions.repository';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../domain/transaction-status';
import {
  exampleOpsTransaction,
  opsTransactionPage,
  presentOpsTransaction,
} from './ops-transaction-answer';

/** Characters of a wholesaler's own id, as in createTransaction. */
const MAX_ORDER_ID = 200;
class ListOpsTransactionsQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @IsOptional()
  @IsIn(TRANSACTION_STATUSES)
  status?: TransactionStatus;

  @IsOptional()
  @IsNonEmptyText(MAX_ORDER_ID)
  wholesalerTransactionId?: string;

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
}

export const listOpsTransactionsEndpoint = endpoint({
  id: 'listOpsTransactions',
  tag: 'Ops: transactions',
  route: 'GET /v1/admin/transactions',
  scope: 'viewer',
  summary: 'List the transactions of all wholesalers, newest first',
  query: ListOpsTransactionsQuery,
  answer: opsTransactionPage,
  example: { transactions: [exampleOpsTransaction], nextCursor: null },
  input: (
    { query: { cursor, limit, incrementalID, from, to, ...filter } },
    { config }: Context,
  ) => ({
    cursor,
    limit,
    filter: {
      ...filter,
      incrementalId: incrementalID,
      from: readDate('from', from, config.TIME_ZONE),
      to: readDate('to', to, config.TIME_ZONE),
    },
  }),
  handle: async ({ db }: Context, { filter, cursor, limit }) => {
    await requireCursor(db, cursor, 'transactions');
    const found = await listOpsTransactions(db, { filter, cursor, limit: limit + 1 });
    return pageOf(found, limit, ({ id }) => id);
  },
  present: ({ page, nextCursor }, context: Context) => ({
    transactions: page.map((transaction) => presentOpsTransaction(transaction, context)),
    nextCursor,
  }),
});
