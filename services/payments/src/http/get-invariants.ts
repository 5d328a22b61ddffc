import type { RequestHandler } from 'express';
import type { Context } from '../context';
import { checkInvariants } from '../use-cases/check-invariants';

/** GET /admin/invariants/payments: whether all that must hold does, for `fiado verify`. */
export function handleGetInvariants(context: Context): RequestHandler {
  return async (_req, res) => {
    res.json(await checkInvariants(context));
  };
}
