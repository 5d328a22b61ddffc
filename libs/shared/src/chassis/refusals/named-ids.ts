import { isUUID } from 'class-validator';
import type { Request } from 'express';
import { TEXT_FIELDS, UUID_FIELDS, type NamedIds } from './refusal';

/** Longer ids of a wholesaler are cut, in characters. */
const MAX_TEXT_ID = 100;

/**
 * The objects that a request names, in its path or at the top of its body. Nothing else of it: an
 * id of ours must be a UUID, and an id of the wholesaler's own is cut.
 * @param pattern of its route, such as `/v1/transaction/:transactionId`
 */
export function namedIdsOf(req: Request, pattern: string): NamedIds {
  const named = { ...textsOf(req.body), ...pathTextsOf(req.originalUrl, pattern) };
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
