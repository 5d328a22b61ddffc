import { IsIn, IsOptional } from 'class-validator';
import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { PageQuery, pageOf } from '@fiado/shared/chassis/page';
import type { Context } from '../context';
import { DEPOSIT_STATUSES, type DepositStatus } from '../db/deposit.entity';
import { listDeposits } from '../db/deposits.repository';
import { presentDeposit } from './present-deposit';

export class ListDepositsQuery extends PageQuery {
  @IsOptional()
  @IsIn(DEPOSIT_STATUSES)
  status?: DepositStatus;
}

/** GET /admin/deposits: deposits, newest first, for ops who look for unmatched money. */
export function handleListDeposits(context: Context): RequestHandler {
  return async (req, res) => {
    const { status, cursor, limit } = validQuery(ListDepositsQuery, req);
    const found = await listDeposits(context.db, { status, cursor, limit: limit + 1 });
    const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
    res.json({ deposits: page.map(presentDeposit), nextCursor });
  };
}
