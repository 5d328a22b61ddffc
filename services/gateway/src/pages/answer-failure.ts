import type { ErrorRequestHandler } from 'express';
import { toAppError } from '@fiado/chassis/http/error-middleware';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { hasLongRest } from '../http/answer-error';
import {
  AWAY_PAGE,
  FAILURE_PAGE,
  NO_SUCH_PAGE,
  NOT_UNDERSTOOD_PAGE,
  TOO_FAST_PAGE,
  TOO_LONG_PAGE,
} from './failure-views';
import { renderPage, type Page } from './layout';
import type { Lender } from './lender';
import { UNKNOWN_ORDER_PAGE } from './order-views';
import { PAGE_HEADERS, sendPage } from './send-page';

/** Seconds that a page asks a person to wait: longer than a restart takes. */
const RETRY_AFTER_SECONDS = 5;

/** The only place where an error becomes a page. */
export function answerFailure({ log }: Context): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const error = toAppError(thrown);
    if (error.kind === 'unexpected') log.error({ err: thrown }, error.code);
    if (error.kind === 'unavailable') log.warn({ err: thrown }, error.code);
    const page = pageOf(error);
    const retryAfter = error.retryAfterSeconds ?? RETRY_AFTER_SECONDS;
    if (page === AWAY_PAGE || page === TOO_FAST_PAGE) res.set('Retry-After', String(retryAfter));
    if (hasLongRest(req)) res.set('Connection', 'close');
    sendPage(res, page);
  };
}

/** A page for a request that is refused before Express: headers, names and values in turn, and body. */
export function renderRefusal(
  error: AppError,
  lender: Lender,
): { headers: string[]; body: string } {
  const body = renderPage(pageOf(error), lender);
  const headers = {
    ...PAGE_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers: Object.entries(headers).flat(), body };
}

function pageOf(error: AppError): Page {
  if (error.code === 'TRANSACTION_NOT_FOUND') return UNKNOWN_ORDER_PAGE;
  if (error.code === 'ROUTE_NOT_FOUND') return NO_SUCH_PAGE;
  if (error.code === 'RATE_LIMIT_EXCEEDED') return TOO_FAST_PAGE;
  if (error.code === 'PAYLOAD_TOO_LARGE') return TOO_LONG_PAGE;
  if (error.status === 503) return AWAY_PAGE;
  return error.status < 500 ? NOT_UNDERSTOOD_PAGE : FAILURE_PAGE;
}
