import { IsIn, IsOptional } from 'class-validator';
import type { RequestHandler } from 'express';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { PageQuery, pageOf } from '@fiado/shared/chassis/page';
import type { Context } from '../context';
import { DEPOSIT_FILTERS, listDeposits, type DepositFilter } from '../db/deposits.repository';
import { presentListedDeposit } from './present-deposit';

export class ListDepositsQuery extends PageQuery {
  @IsOptional()
  @IsIn(DEPOSIT_FILTERS)
  status?: DepositFilter;
}

/** GET /admin/deposits: deposits, newest first, for ops who look for unmatched or conflicting money. */
export function handleListDeposits(context: Context): RequestHandler {
  return async (req, res) => {
    const { status: filter, cursor, limit } = validQuery(ListDepositsQuery, req);
    const found = await listDeposits(context.db, { filter, cursor, limit: limit + 1 });
    const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
    res.json({ deposits: page.map(presentListedDeposit), nextCursor });
  };
}
