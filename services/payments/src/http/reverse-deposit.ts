import { IsString, MaxLength, MinLength } from 'class-validator';
import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { reverseDeposit } from '../use-cases/reverse-deposit';
import { presentDeposit } from './present-deposit';

/** A sentence or two, for whoever asks later why. */
const MAX_REASON_LENGTH = 500;

export class ReverseDepositBody {
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_REASON_LENGTH)
  reason: string;
}

/** POST /admin/deposits/{depositId}/reverse: ops undoes a deposit, by new rows. */
export function handleReverseDeposit(context: Context): RequestHandler {
  return async (req, res) => {
    const { reason } = validBody(ReverseDepositBody, req, 'refuse');
    const depositId = idParam(req, 'depositId', 'DEPOSIT_NOT_FOUND');
    const { id: decidedBy } = callerOf(req);

    const deposit = await reverseDeposit(context, { depositId, reason, decidedBy });
    res.json(presentDeposit(deposit));
  };
}
