import type { Request, RequestHandler } from 'express';
import {
  type Caller,
  type CallerKind,
  INTERNAL_TOKEN_HEADER,
  type Scope,
  TOKEN_REFUSED_HEADER,
} from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import { type InternalTokens } from '../keys/internal-token';

/** A caller that a route may allow: a kind of outside caller, or one process in its own name. */
export type AllowedCaller = Exclude<CallerKind, 'service'> | `service:${ProcessName}`;

const callers = new WeakMap<Request, Caller>();

/**
 * Guard: the token must name a caller (401), and both the caller and its key must be allowed to
 * call this route (403). An invalid token is a 503: the gateway removes tokens from outside, so
 * another service signed it with an unknown key or a wrong clock, or our clock is wrong, and the
 * caller's credential is not the cause.
 */
export function allowCallers(
  tokens: InternalTokens,
  allowed: readonly AllowedCaller[],
  scope?: Scope,
): RequestHandler {
  return async (req, res, next) => {
    const token = req.headers[INTERNAL_TOKEN_HEADER];
    if (typeof token !== 'string') throw new AppError('UNAUTHORIZED');
    const caller = await tokens.verify(token);
    if (caller === undefined) {
      res.setHeader(TOKEN_REFUSED_HEADER, '1');
      throw new AppError('INTERNAL_TOKEN_NOT_VALID');
    }
    // Before it is refused, so that the log names the caller of a refused request.
    callers.set(req, caller);
    if (!allowed.includes(allowedCallerOf(caller))) throw new AppError('FORBIDDEN');
    if (scope !== undefined && !caller.scopes.includes(scope)) throw new AppError('FORBIDDEN');
    next();
  };
}

function allowedCallerOf({ kind, id }: Caller): AllowedCaller {
  return kind === 'service' ? `service:${id as ProcessName}` : kind;
}

/** The caller, whether or not it may call; undefined without a valid token. */
export function knownCallerOf(req: Request): Caller | undefined {
  return callers.get(req);
}

/** The caller. Only behind allowCallers. */
export function callerOf(req: Request): Caller {
  const caller = callers.get(req);
  if (caller === undefined) throw new Error('callerOf was called on a route without a guard');
  return caller;
}
