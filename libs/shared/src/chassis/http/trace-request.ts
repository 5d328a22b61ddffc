import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '../tracing/span';
import { startSpan } from '../tracing/tracer';

/**
 * Begins the span of a request, below the caller's traceparent. It ends with the response, under the
 * name of its route. Undefined while traces are off.
 * @param routeOf the route's pattern, once it is known
 */
export function traceRequest(
  req: IncomingMessage,
  res: ServerResponse,
  routeOf: () => string,
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
    const route = routeOf();
    span.rename(`${method} ${route}`);
    span.set({ 'http.route': route });
    if (res.headersSent) span.set({ 'http.response.status_code': res.statusCode });
    if (res.statusCode >= 500) span.fail(new Error('The request failed'));
    span.end();
  });
  return span;
}
