import type { RequestHandler } from 'express';
import { validBody } from '@fiado/shared/chassis/http/body';
import { callerOf } from '@fiado/shared/chassis/http/caller';
import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import type { Context } from '../context';
import { findCornerStores } from '../use-cases/find-corner-stores';
import { presentCornerStoreOfBatch } from './present-corner-store';

/** Names in one request: more than a truck visits in a day. */
const MAX_EXTERNAL_IDS = 500;

export class FindCornerStoresBody {
  @IsArray()
  @ArrayMaxSize(MAX_EXTERNAL_IDS)
  @IsString({ each: true })
  externalCornerStoreIds: string[];

  /** Who asks at the wholesaler; of no consequence here. */
  @IsString()
  driverId: string;
}

/** POST /v1/corner-store/external (spec e15). */
export function handleFindCornerStores(context: Context): RequestHandler {
  return async (req, res) => {
    const { externalCornerStoreIds } = validBody(FindCornerStoresBody, req);
    const customers = await findCornerStores(context, {
      wholesalerId: callerOf(req).id,
      externalIds: externalCornerStoreIds,
    });
    res.json({ cornerStores: customers.map(presentCornerStoreOfBatch) });
  };
}
