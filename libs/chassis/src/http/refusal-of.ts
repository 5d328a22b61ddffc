import { isUUID } from 'class-validator';
import type { Request, Response } from 'express';
import { newId } from '@fiado/contracts/new-id';
import { namedIdsOf } from '../refusals/named-ids';
import { UUID_FIELDS, type NamedIds, type Refusal } from '../refusals/refusal';
import { refusedItemsOf } from '../refusals/refused-items';
import { storableIds } from '../refusals/storable-ids';
import { knownCallerOf } from './caller';
import { errorCodeOf } from './error-middleware';

/** What is known of a request that was answered with an error, or refused some of its items. */
export interface RefusedRequest {
  /** Fields of its log line: the code and ids of ours. An id of the wholesaler's own may hold a phone. */
  logged: { errorCode?: string; wholesalerId?: string } & NamedIds;
  /** Of changes that a wholesaler asked for; its reads are refused without a consequence. */
  ofWholesaler: Array<Omit<Refusal, 'operation' | 'requestId' | 'refusedAt'>>;
}

/** @returns undefined for a request of which nothing was refused */
export function refusalOf(req: Request, res: Response, route: string): RefusedRequest | undefined {
  const errorCode = errorCodeOf(res);
  const items = errorCode === undefined ? refusedItemsOf(res) : [];
  if (errorCode === undefined && items.length === 0) return undefined;
  const wholesalerId = wholesalerIdOf(req);
  if (errorCode === undefined) {
    if (wholesalerId === undefined) return undefined;
    const ofWholesaler = items.map((item) => ({
      id: newId(),
      wholesalerId,
      errorCode: item.errorCode,
      ids: storableIds(item.ids),
    }));
    return { logged: {}, ofWholesaler };
  }
  const ids = namedIdsOf(req, route);
  const own = Object.fromEntries(
    UUID_FIELDS.flatMap((field) => (ids[field] === undefined ? [] : [[field, ids[field]]])),
  );
  if (wholesalerId === undefined) return { logged: { errorCode, ...own }, ofWholesaler: [] };
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  return {
    logged: { errorCode, wholesalerId, ...own },
    ofWholesaler: isRead ? [] : [{ id: newId(), wholesalerId, errorCode, ids }],
  };
}

function wholesalerIdOf(req: Request): string | undefined {
  const caller = knownCallerOf(req);
  return caller?.kind === 'wholesaler' && isUUID(caller.id) ? caller.id : undefined;
}
