import type { ErrorRequestHandler } from 'express';
import { html } from '@fiado/chassis/html';
import { toAppError } from '@fiado/chassis/http/error-middleware';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { hasLongRest } from '../forwarding/answer-error';
import { renderPage, type Lender, type Page } from './layout';
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

/** Whether a service refused with that code. */
export function isRefusal(error: unknown, code: AppError['code']): error is AppError {
  return error instanceof AppError && error.code === code;
}

const AWAY_PAGE: Page = {
  status: 503,
  title: 'No pudimos atenderte ahora',
  content: html`<p>
    Espera un momento y vuelve a abrir el enlace que te llegó. Si ya habías escrito tu clave, ahí
    verás si tu pedido quedó confirmado.
  </p>`,
};

const TOO_FAST_PAGE: Page = {
  status: 429,
  title: 'Hay demasiadas visitas',
  content: html`<p>Espera un momento y vuelve a intentarlo.</p>`,
};

const TOO_LONG_PAGE: Page = {
  status: 413,
  title: 'Lo que enviaste pesa demasiado',
  content: html`<p>
    Vuelve a abrir el enlace que te llegó e inténtalo otra vez. Si es una foto, tómala con menos
    calidad.
  </p>`,
};

const NOT_UNDERSTOOD_PAGE: Page = {
  status: 400,
  title: 'No entendimos lo que enviaste',
  content: html`<p>Vuelve a abrir el enlace que te llegó e inténtalo otra vez.</p>`,
};

const NO_SUCH_PAGE: Page = {
  status: 404,
  title: 'Esta página no existe',
  content: html`<p>Revisa que el enlace esté completo, tal como te llegó.</p>`,
};

const FAILURE_PAGE: Page = {
  status: 500,
  title: 'Algo salió mal de nuestro lado',
  content: html`<p>Vuelve a abrir el enlace más tarde.</p>`,
};
