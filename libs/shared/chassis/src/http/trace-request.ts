import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Span, startSpan } from '../tracing/tracer';

const FIRST_SERVER_ERROR = 500;

/** The facts about a request at its end. */
interface Outcome {
  /** The route's pattern. */
  route: string;
  errorCode: string | undefined;
}

/**
 * Begins the span of a request, below the caller's traceparent. It ends with the response, under the
 * name of its route. Undefined while traces are off.
 */
export function traceRequest(
  req: IncomingMessage,
  res: ServerResponse,
  outcomeOf: () => Outcome,
): Span | undefined {
  const method = req.method ?? 'none';
  const { traceparent } = req.headers;
  const span = startSpan(method, {
    kind: 'server',
    parent: typeof traceparent === 'string' ? traceparent : null,
    attributes: { 'http.request.method': method },
  });
  if (span === undefined) return undefined;
  res.once('close', () => {
    const { route, errorCode } = outcomeOf();
    span.rename(`${method} ${route}`);
    span.set({ 'http.route': route });
    // A caller that disconnects first has no status.
    if (res.headersSent) span.set({ 'http.response.status_code': res.statusCode });
    if (errorCode !== undefined) span.set({ 'error.type': errorCode });
    if (res.statusCode >= FIRST_SERVER_ERROR) span.fail(errorCode ?? String(res.statusCode));
    span.end();
  });
  return span;
}
