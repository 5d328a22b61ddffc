import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@fiado/shared/chassis/internal-token';
import { toAppError } from '@fiado/shared/chassis/http/error-middleware';
import { observeRequest } from '@fiado/shared/chassis/metrics';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { answerError } from './answer-error';
import { authenticate } from './authenticate';
import { forward, type Exchange } from './forward';
import { requestIdOf } from './request-id';
import { findOpenRoute, findRoute, type ApiRoute } from './route-table';

/** In logs, the status of a request whose caller left before it was answered (as nginx says it). */
const CALLER_LEFT = 499;

/** Who a service hears from where the caller has no credential. */
const GATEWAY: Caller = { kind: 'service', id: 'gateway', name: 'gateway', scopes: [] };

/** What is found out about a request on its way, for its log line. */
interface Findings {
  caller?: Caller;
  route?: ApiRoute;
}

/**
 * A request under /v1: who calls, how often, whereto, then on to the service. Never rejects. A call
 * that needs no credential is only counted for its address.
 */
export async function handleApiRequest(
  context: Context,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const requestId = requestIdOf(req);
  const findings: Findings = {};
  reportWhenClosed(context, { req, res, requestId }, findings);
  try {
    const address = context.addressOf(req);
    const openRoute = findOpenRoute(req.method, req.url ?? '');
    if (openRoute !== undefined) {
      findings.route = openRoute;
      await context.limitCallbacks(address);
      await forward(context, { req, res, requestId }, openRoute, {
        caller: GATEWAY,
        bodyKey: address,
      });
      return;
    }

    const { caller, rateKey } = await authenticate(
      context.credentials,
      req.headers.authorization,
      address,
    );
    findings.caller = caller;
    await context.limitRate(rateKey);
    const route = findRoute(req.url ?? '');
    if (route === undefined) throw new AppError('ROUTE_NOT_FOUND');
    findings.route = route;
    await forward(context, { req, res, requestId }, route, { caller, bodyKey: rateKey });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === 'unexpected') context.log.error({ err: thrown, requestId }, error.code);
    answerError(res, error, requestId);
  }
}

/** One log line and one observation for each request: patterns and ids, never path or headers. */
function reportWhenClosed(
  { requestLog }: Context,
  { req, res, requestId }: Exchange,
  findings: Findings,
): void {
  const startedAt = performance.now();
  res.once('close', () => {
    const { caller, route } = findings;
    const ms = performance.now() - startedAt;
    const method = req.method ?? 'none';
    const status = res.headersSent ? res.statusCode : CALLER_LEFT;
    observeRequest(method, route?.pattern ?? 'none', status, ms / 1000);
    requestLog.info(
      {
        requestId,
        method,
        route: route?.pattern ?? 'none',
        upstream: route?.upstream,
        status,
        ms: Math.round(ms),
        callerKind: caller?.kind,
        callerId: caller?.id,
        ...(res.writableFinished ? {} : { cut: true }),
      },
      'request',
    );
  });
}
