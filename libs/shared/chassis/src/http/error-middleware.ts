import type { ErrorRequestHandler, Response } from 'express';
import {
  AppError,
  defaultErrorShape,
  type ErrorShape,
  type RefusedAmounts,
  ValidationError,
} from '@fiado/contracts/errors';
import { driverError, isDatabaseUnavailable, isLockTimeout } from '../db/errors';
import type { Logger } from '../logger';

/** Retry-After when a service is unavailable, in seconds: longer than a restart takes. */
const RETRY_AFTER_SECONDS = 2;

/**
 * SQLSTATE classes of a transaction that was rolled back for another one, such as after a deadlock
 * (40), and of a cancelled statement, such as after its time-out (57).
 */
const TRY_AGAIN_SQL_STATES = /^(40|57)/;

const shapes = new WeakMap<Response, ErrorShape>();
const errorCodes = new WeakMap<Response, string>();

/** The code of a request whose body or query fails its class: the answer itself has none. */
const BAD_REQUEST = 'BAD_REQUEST';

const amounts = new WeakMap<Response, RefusedAmounts>();

/** The amounts that explain a refusal; undefined where none do. */
export function refusedAmountsOf(res: Response): RefusedAmounts | undefined {
  return amounts.get(res);
}

/** The error that a response carries; undefined for any other response. */
export function errorCodeOf(res: Response): string | undefined {
  return errorCodes.get(res);
}

/** Sets the error shape of this response. */
export function useErrorShape(res: Response, shape: ErrorShape): void {
  shapes.set(res, shape);
}

/** The only place where an error becomes HTTP. */
export function errorMiddleware(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    if (thrown instanceof ValidationError) {
      errorCodes.set(res, BAD_REQUEST);
      res.status(400).json({ statusCode: 400, message: thrown.problems, error: 'Bad Request' });
      return;
    }
    const error = toAppError(thrown);
    errorCodes.set(res, error.code);
    if (error.amounts !== undefined) amounts.set(res, error.amounts);
    if (error.kind === 'unexpected') log.error({ err: thrown, method: req.method }, error.code);
    if (error.kind === 'unavailable') log.warn({ err: thrown, method: req.method }, error.code);
    sendError(res, error, shapes.get(res) ?? defaultErrorShape);
  };
}

function sendError(res: Response, error: AppError, shape: ErrorShape): void {
  if (error.status === 401) res.setHeader('WWW-Authenticate', 'Bearer realm="fiado"');
  const retryAfter =
    error.retryAfterSeconds ?? (error.status === 503 ? RETRY_AFTER_SECONDS : undefined);
  if (retryAfter !== undefined) res.setHeader('Retry-After', String(retryAfter));
  res.status(error.status).json(shape(error));
}

/**
 * AppErrors are kept, 4xx errors of the body parser and the router are converted, and an
 * unavailable database is a 503.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isUnavailable(thrown)) return new AppError('SERVICE_UNAVAILABLE', { cause: thrown });
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', { cause: thrown });
  if (status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: thrown });
  // A path that does not decode matches no route.
  if (thrown instanceof URIError) return new AppError('ROUTE_NOT_FOUND', { cause: thrown });
  if (status >= 400 && status < 500) return new AppError('INVALID_JSON', { cause: thrown });
  return new AppError('INTERNAL_ERROR', { cause: thrown });
}

function isUnavailable(thrown: unknown): boolean {
  return (
    isDatabaseUnavailable(thrown) ||
    isLockTimeout(thrown) ||
    TRY_AGAIN_SQL_STATES.test(driverError(thrown).code ?? '')
  );
}
