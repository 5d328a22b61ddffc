import type { Request } from 'express';
import type { ApiRefusal } from '../api';
import type { Viewer } from '../viewer';
import type { Say } from '../words';

/** A request of a signed-in person. */
export interface Visit {
  req: Request;
  viewer: Viewer;
  say: Say;
  /** Why the API refused the form that was sent: the page shows the form again. */
  refusal?: ApiRefusal;
}

/** An id of the path, as one part of a path of the API. */
export function partOf({ req }: Visit, name: string): string {
  return encodeURIComponent(String(req.params[name]));
}

/** A parameter of the address; empty when it is missing or repeated. */
export function queryOf({ req }: Pick<Visit, 'req'>, name: string): string {
  const value = req.query[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** A field of the form; empty when it is missing or repeated. */
export function fieldOf({ req }: Pick<Visit, 'req'>, name: string): string {
  const value = (Object(req.body) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.trim() : '';
}
