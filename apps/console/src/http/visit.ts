import type { Request } from 'express';
import { ApiRefusal } from '../api';
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

/** An id of the path. @throws ApiRefusal for dots, which as a part of a path lead to another one */
export function idOf({ req }: Visit, name: string): string {
  const id = String(req.params[name]);
  if (/^\.{1,2}$/.test(id)) throw new ApiRefusal(404, 'ROUTE_NOT_FOUND', `${name} is no id`);
  return id;
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
