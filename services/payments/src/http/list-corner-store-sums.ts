import type { RequestHandler } from 'express';
import { allowLongStatements } from '@fiado/shared/chassis/db/query';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { CornerStoreSumsQuery, cornerStoreSumsPage } from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { sumByCornerStore } from '../db/corner-store-sums.repository';

/** GET /admin/invariants/payments/corner-stores: the sums that the services must agree on. */
export function handleListCornerStoreSums(context: Context): RequestHandler {
  return async (req, res) => {
    const { cursor, limit } = validQuery(CornerStoreSumsQuery, req);
    const found = await context.db.transaction(async (tx) => {
      await allowLongStatements(tx);
      return sumByCornerStore(tx, { cursor, limit: limit + 1 });
    });
    res.json(cornerStoreSumsPage(found, limit));
  };
}
