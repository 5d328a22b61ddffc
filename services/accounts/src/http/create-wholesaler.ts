import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import type { Context } from '../context';
import { createWholesaler } from '../use-cases/create-wholesaler';
import { presentWholesaler } from './present-wholesaler';
import { CreateWholesalerBody, settingsOf } from './wholesaler-bodies';

/** POST /v1/admin/wholesalers. */
export function handleCreateWholesaler(context: Context): RequestHandler {
  return async (req, res) => {
    const body = validBody(CreateWholesalerBody, req, 'refuse');
    const { wholesaler, key } = await createWholesaler(context, {
      by: callerOf(req),
      name: body.name,
      settings: settingsOf(body),
    });
    res.status(201).json({ ...presentWholesaler(wholesaler), ...key });
  };
}
