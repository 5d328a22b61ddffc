import type { RequestHandler } from 'express';
import { allowLongStatements } from '@fiado/shared/chassis/db/query';
import { validQuery } from '@fiado/shared/chassis/http/body';
import { CornerStoreSumsQuery, cornerStoreSumsPage } from '@fiado/shared/contracts/invariants';
import type { Context } from '../context';
import { listCornerStoreSums } from '../db/corner-stores.repository';

/** GET /v1/admin/invariants/accounts/corner-stores: what the services must agree on. */
export function handleListCornerStoreSums(context: Context): RequestHandler {
  return async (req, res) => {
    const { cursor, limit } = validQuery(CornerStoreSumsQuery, req);
    const found = await context.db.transaction(async (tx) => {
      await allowLongStatements(tx);
      return listCornerStoreSums(tx, { cursor, limit: limit + 1 });
    });
    res.json(cornerStoreSumsPage(found, limit));
  };
}
