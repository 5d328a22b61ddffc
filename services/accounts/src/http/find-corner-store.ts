import type { RequestHandler } from 'express';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { textParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { findCornerStore } from '../use-cases/find-corner-store';
import { presentCornerStore } from './present-corner-store';

/** GET /v1/corner-store/external/:externalId (spec e16). */
export function handleFindCornerStore(context: Context): RequestHandler {
  return async (req, res) => {
    const customer = await findCornerStore(context, {
      wholesalerId: callerOf(req).id,
      externalId: textParam(req, 'externalId'),
    });
    res.json(presentCornerStore(customer));
  };
}
