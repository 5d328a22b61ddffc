import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import type { Context } from '../context';
import { rejectCornerStore } from '../use-cases/reject-corner-store';
import { presentCornerStoreDetails } from './present-corner-store-details';

const MAX_REASON = 1000;

export class RejectCornerStoreBody {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_REASON)
  reason: string;
}

/** POST /v1/admin/corner-stores/:cornerStoreId/reject. */
export function handleRejectCornerStore(context: Context): RequestHandler {
  return async (req, res) => {
    const { reason } = validBody(RejectCornerStoreBody, req, 'refuse');
    const store = await rejectCornerStore(context, {
      by: callerOf(req),
      reason,
      cornerStoreId: idParam(req, 'cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    });
    res.json(presentCornerStoreDetails(context, store));
  };
}
