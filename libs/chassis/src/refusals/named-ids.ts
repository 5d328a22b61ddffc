import type { Request } from 'express';
import { TEXT_FIELDS, UUID_FIELDS, type NamedIds } from './refusal';
import { storableIds } from './storable-ids';

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
