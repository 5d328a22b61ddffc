import { isUUID } from 'class-validator';
import type { Request, Response } from 'express';
import { newId } from '../../new-id';
import { namedIdsOf } from '../refusals/named-ids';
import { UUID_FIELDS, type NamedIds, type Refusal } from '../refusals/refusal';
import { knownCallerOf } from './caller';
import { errorCodeOf } from './error-middleware';

/** What is known of a request that was answered with an error. */
export interface RefusedRequest {
  /** Fields of its log line: the code and ids of ours. An id of the wholesaler's own may hold a phone. */
  logged: { errorCode: string; wholesalerId?: string } & NamedIds;
  /** Of a change that a wholesaler asked for; its reads are refused without a consequence. */
  ofWholesaler?: Omit<Refusal, 'operation' | 'requestId' | 'refusedAt'>;
}

/** @returns undefined for a request that was not answered with an error */
export function refusalOf(req: Request, res: Response, route: string): RefusedRequest | undefined {
  const errorCode = errorCodeOf(res);
  if (errorCode === undefined) return undefined;
  const ids = namedIdsOf(req, route);
  const caller = knownCallerOf(req);
  const own = Object.fromEntries(
    UUID_FIELDS.flatMap((field) => (ids[field] === undefined ? [] : [[field, ids[field]]])),
  );
  if (caller?.kind !== 'wholesaler' || !isUUID(caller.id)) return { logged: { errorCode, ...own } };
  const wholesalerId = caller.id;
  return {
    logged: { errorCode, wholesalerId, ...own },
    ...(req.method === 'GET' || req.method === 'HEAD'
      ? {}
      : { ofWholesaler: { id: newId(), wholesalerId, errorCode, ids } }),
  };
}
