import { isUUID } from '@fiado/contracts/class-validator';
import type { Request, Response } from 'express';
import type { RefusedAmounts } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import { knownCallerOf } from '../http/caller';
import { errorCodeOf, refusedAmountsOf } from '../http/error-middleware';

/** Fields of paths and bodies that name an object by an id of ours. */
export const UUID_FIELDS = ['cornerStoreId', 'userId', 'transactionId', 'verificationId'] as const;

/** Those that name one by an id of the wholesaler's own. */
export const TEXT_FIELDS = ['externalId', 'wholesalerTransactionId'] as const;

/** The objects that a request names. */
export type NamedIds = Partial<
  Record<(typeof UUID_FIELDS)[number] | (typeof TEXT_FIELDS)[number], string>
>;

/** A request of a wholesaler that was answered with an error. */
export interface Refusal {
  id: string;
  refusedAt: Date;
  wholesalerId: string;
  /** Such as createTransaction. */
  operation: string;
  errorCode: string;
  requestId: string;
  /** With the amounts of an order that did not fit its line, or was too small. */
  ids: NamedIds & Partial<RefusedAmounts>;
}

/** A part of a request that was refused, although the request was not: an order of a batch. */
export type RefusedItem = Pick<Refusal, 'errorCode'> & { ids: NamedIds };

/** The facts about a request that was answered with an error, or refused some of its items. */
interface RefusedRequest {
  /** Fields of its log line: the code and ids of ours. An id of the wholesaler's own may hold a phone. */
  logged: { errorCode?: string; wholesalerId?: string } & NamedIds;
  /** Of changes that a wholesaler asked for; its reads are refused without a consequence. */
  ofWholesaler: Array<Omit<Refusal, 'operation' | 'requestId' | 'refusedAt'>>;
}

/** @returns undefined when nothing in the request was refused */
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
    ofWholesaler: isRead
      ? []
      : [{ id: newId(), wholesalerId, errorCode, ids: { ...ids, ...refusedAmountsOf(res) } }],
  };
}

function wholesalerIdOf(req: Request): string | undefined {
  const caller = knownCallerOf(req);
  return caller?.kind === 'wholesaler' && isUUID(caller.id) ? caller.id : undefined;
}

const noted = new WeakMap<Response, () => RefusedItem[]>();

/**
 * Notes what the result of a request refuses. It is read after the answer, so that no caller waits
 * for it.
 */
export async function noteRefusedItems<Result>(
  res: Response,
  running: Promise<Result>,
  itemsOf: (result: Result) => RefusedItem[],
): Promise<Result> {
  const result = await running;
  noted.set(res, () => itemsOf(result));
  return result;
}

export function refusedItemsOf(res: Response): RefusedItem[] {
  return noted.get(res)?.() ?? [];
}

/**
 * The objects that a request names, in its path or at the top of its body. Nothing else of it.
 * @param pattern of its route, such as `/v1/transaction/:transactionId`
 */
export function namedIdsOf(req: Request, pattern: string): NamedIds {
  return storableIds({ ...textsOf(req.body), ...pathTextsOf(req.originalUrl, pattern) });
}

function textsOf(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return Object.fromEntries(
    [...UUID_FIELDS, ...TEXT_FIELDS].flatMap((field) => {
      const value = (body as Record<string, unknown>)[field];
      return typeof value === 'string' ? [[field, value]] : [];
    }),
  );
}

/** Express forgets the parameters of a route before it calls the error middleware. */
function pathTextsOf(url: string, pattern: string): Record<string, string> {
  const segments = url.split('?', 1)[0]?.split('/') ?? [];
  return Object.fromEntries(
    pattern.split('/').flatMap((name, at) => {
      const value = segments[at];
      return name.startsWith(':') && value !== undefined ? [[name.slice(1), decoded(value)]] : [];
    }),
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Longer ids of a wholesaler are cut, in characters. */
const MAX_TEXT_ID = 100;

/** The ids of a refused change, ready to store: our own ids must be UUIDs, ids of others are cut. */
export function storableIds(named: NamedIds): NamedIds {
  const ids: NamedIds = {};
  for (const field of UUID_FIELDS) {
    const id = named[field];
    if (isUUID(id)) ids[field] = id as string;
  }
  for (const field of TEXT_FIELDS) {
    const id = named[field];
    if (id !== undefined) ids[field] = storableText(id.slice(0, MAX_TEXT_ID));
  }
  return ids;
}

/** Postgres stores neither a NUL nor half of a surrogate pair, and one bad text would stop a batch. */
function storableText(text: string): string {
  return Buffer.from(text.replaceAll('\0', '')).toString();
}
