import type { Request, RequestHandler } from 'express';
import { AppError } from '../../contracts/errors';
import type { Scope } from '../../contracts/scopes';
import {
  INTERNAL_TOKEN_HEADER,
  type Caller,
  type CallerKind,
  type InternalTokens,
} from '../internal-token';

const callers = new WeakMap<Request, Caller>();

/**
 * Guard: the token names a caller, its kind may call this route, and its key too. 401, then 403. A
 * token that we cannot trust is a 503: the gateway drops those from outside, so a neighbour made it
 * with another secret or clock, and no caller's credential is to blame.
 */
export function allowCallers(
  tokens: InternalTokens,
  kinds: CallerKind[],
  scope?: Scope,
): RequestHandler {
  return (req, _res, next) => {
    const token = req.headers[INTERNAL_TOKEN_HEADER];
    if (typeof token !== 'string') throw new AppError('UNAUTHORIZED');
    const caller = tokens.verify(token);
    if (caller === undefined) throw new AppError('INTERNAL_TOKEN_NOT_VALID');
    if (!kinds.includes(caller.kind)) throw new AppError('FORBIDDEN');
    if (scope !== undefined && !caller.scopes.includes(scope)) throw new AppError('FORBIDDEN');
    callers.set(req, caller);
    next();
  };
}

/** Who calls. Only behind allowCallers. */
export function callerOf(req: Request): Caller {
  const caller = callers.get(req);
  if (caller === undefined) throw new Error('callerOf was called on a route without a guard');
  return caller;
}
