import type { RequestHandler } from 'express';
import type { InvariantReport } from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { checkInvariants } from '../use-cases/check-invariants';

/** GET /v1/admin/invariants/notifier: what must hold, and the rows where it does not. */
export function handleGetInvariants(context: Context): RequestHandler {
  return async (_req, res) => {
    const report: InvariantReport = {
      service: 'notifier',
      checks: await checkInvariants(context),
    };
    res.json(report);
  };
}
