import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { approveCornerStore } from '../use-cases/approve-corner-store';
import { presentCornerStoreDetails } from './present-corner-store-details';

/** POST /v1/admin/corner-stores/:cornerStoreId/approve. */
export function handleApproveCornerStore(context: Context): RequestHandler {
  return async (req, res) => {
    const store = await approveCornerStore(context, {
      by: callerOf(req),
      cornerStoreId: idParam(req, 'cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
    });
    res.json(presentCornerStoreDetails(context, store));
  };
}
