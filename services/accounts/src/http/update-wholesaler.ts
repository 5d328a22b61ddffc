import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { idParam } from '@fiado/shared/chassis/http/params';
import type { Context } from '../context';
import { updateWholesaler } from '../use-cases/update-wholesaler';
import { presentWholesaler } from './present-wholesaler';
import { settingsOf, UpdateWholesalerBody } from './wholesaler-bodies';

/** PUT /v1/admin/wholesalers/:wholesalerId. */
export function handleUpdateWholesaler(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(UpdateWholesalerBody, req, 'refuse');
    const wholesaler = await updateWholesaler(context, {
      by: callerOf(req),
      wholesalerId: idParam(req, 'wholesalerId', 'WHOLESALER_NOT_FOUND'),
      changes: {
        ...settingsOf(body),
        ...(typeof body.name === 'string' ? { name: body.name } : {}),
      },
    });
    res.json(presentWholesaler(wholesaler));
  };
}
