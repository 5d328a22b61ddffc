import type { RequestHandler } from 'express';
import { allowLongStatements } from '@fiado/shared/chassis/db/query';
import { validQuery } from '@fiado/shared/chassis/http/body';
import {
  CornerStoreSumsQuery,
  cornerStoreSumsPage,
  type InvariantReport,
} from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { checkInvariants, findCornerStoreSums } from '../db/invariants.repository';

/** GET /admin/invariants/transactions: what must hold, and the rows where it does not. */
export function handleInvariants(context: Context): RequestHandler {
  return async (_req, res) => {
    const checks = await context.db.transaction('REPEATABLE READ', async (tx) => {
      await allowLongStatements(tx);
      return checkInvariants(tx);
    });
    const report: InvariantReport = { service: 'transactions', checks };
    res.json(report);
  };
}

/** GET /admin/invariants/transactions/corner-stores: sums to compare with the other services'. */
export function handleCornerStoreSums(context: Context): RequestHandler {
  return async (req, res) => {
    const { cursor, limit } = validQuery(CornerStoreSumsQuery, req);
    const found = await context.db.transaction(async (tx) => {
      await allowLongStatements(tx);
      return findCornerStoreSums(tx, { cursor, limit: limit + 1 });
    });
    res.json(cornerStoreSumsPage(found, limit));
  };
}
