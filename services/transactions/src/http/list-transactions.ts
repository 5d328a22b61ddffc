import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { sendJson } from '@fiado/shared/chassis/http/send-json';
import { PageQuery, pageOf } from '@fiado/shared/chassis/page';
import { ValidationError } from '@fiado/shared/contracts/errors';
import { startOfDateOrMoment } from '@fiado/shared/request-dates';
import type { Context } from '../context';
import { listTransactionViews } from '../db/transaction-views.repository';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../domain/transaction-status';
import { presentTransaction } from './present-transaction';

export class ListTransactionsQuery extends PageQuery {
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

/** GET /transaction: the wholesaler's transactions, newest first, in pages. */
export function handleListTransactions(context: Context): RequestHandler {
  return async (req, res) => {
    const query = validQuery(ListTransactionsQuery, req);
    const { status, cursor, limit } = query;
    const momentOf = (name: 'from' | 'to'): Date | undefined => {
      const text = query[name];
      if (text === undefined) return undefined;
      const moment = startOfDateOrMoment(text, context.config.TIME_ZONE);
      if (moment === undefined) {
        throw new ValidationError([`${name} must be a real ISO 8601 date or timestamp`]);
      }
      return moment;
    };
    const found = await listTransactionViews(context.db, callerOf(req).id, {
      status,
      from: momentOf('from'),
      to: momentOf('to'),
      cursor,
      limit: limit + 1,
    });
    const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
    sendJson(res, { transactions: page.map(presentTransaction), nextCursor });
  };
}
