import type { RequestHandler } from 'express';
import type { Context } from '../context';
import { checkInvariants } from '../use-cases/check-invariants';

/** GET /v1/admin/invariants/accounts: whether all that must hold does, for `fiado verify`. */
export function handleCheckInvariants(context: Context): RequestHandler {
  return async (_req, res) => {
    res.json(await checkInvariants(context));
  };
}
