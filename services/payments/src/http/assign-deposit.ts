import { IsString } from 'class-validator';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { assignDeposit } from '../use-cases/assign-deposit';
import { presentDeposit } from './present-deposit';

export class AssignDepositBody {
  @IsString()
  cornerStoreId: string;
}

/** POST /admin/deposits/{depositId}/assign: ops says whose debt an unmatched deposit pays. */
export function handleAssignDeposit(context: Context): RequestHandler {
  return async (req, res) => {
    const { cornerStoreId } = validBody(AssignDepositBody, req, 'refuse');
    const depositId = idParam(req, 'depositId', 'DEPOSIT_NOT_FOUND');
    const { id: decidedBy } = callerOf(req);

    const deposit = await assignDeposit(context, { depositId, cornerStoreId, decidedBy });
    res.json(presentDeposit(deposit));
  };
}
