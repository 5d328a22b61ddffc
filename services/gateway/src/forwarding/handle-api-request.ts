import type { IncomingMessage, ServerResponse } from 'node:http';
import { toAppError } from '@fiado/chassis/http/error-middleware';
import type { RateLimit, RateState } from '@fiado/chassis/http/edge';
import { traceRequest } from '@fiado/chassis/http/trace-request';
import { observeRequest } from '@fiado/chassis/metrics';
import { requestIdOf } from '@fiado/chassis/request-context';
import { type Span, runIn } from '@fiado/chassis/tracing/tracer';
import type { Caller } from '@fiado/contracts/caller';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { checkAddress } from '../credentials/check-proof';
import { authenticate } from '../credentials/credential-checker';
import { countUnauthorized } from '../metrics';
import { answerError, type Exchange } from './answer-error';
import { forward } from './forward';
import { findOpenRoute, findRoute, type ApiRoute, type OpenRoute } from './route-table';

/** In logs, the status of a request whose caller disconnected before the answer (as in nginx). */
const CALLER_LEFT = 499;

/** The callers of routes without a credential: each may call these routes only. */
const OPEN_CALLERS: Record<OpenRoute['caller'], Caller> = {
  twilio: { kind: 'callback', id: 'twilio', name: 'twilio', scopes: [] },
  facturapi: { kind: 'callback', id: 'facturapi', name: 'facturapi', scopes: [] },
  staff: { kind: 'anonymous', id: 'anonymous', name: 'anonymous', scopes: [] },
};

/** Facts about a request, collected for its log line. */
interface Findings {
  caller?: Caller;
  route?: ApiRoute;
  /** Code of an error of the gateway itself. Services log their own errors. */
  errorCode?: string;
  /** The caller of a request that got a 401, and its key where accounts knows it. */
  refused?: { address: string; keyId: string | undefined };
  span?: Span | undefined;
}

/**
 * Handles a request under /v1: authenticates the caller, applies its rate limit, finds the route
 * and forwards. Never rejects. A call without a credential is only counted for its address.
 */
export function handleApiRequest(
  context: Context,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const findings: Findings = {};
  findings.span = traceRequest(req, res, () => ({
    route: findings.route?.pattern ?? 'none',
    errorCode: findings.errorCode,
  }));
  return runIn(findings.span, () =>
    handle(context, { req, res, requestId: requestIdOf(req), rateHeaders: [] }, findings),
  );
}

async function handle(context: Context, exchange: Exchange, findings: Findings): Promise<void> {
  const { req, requestId } = exchange;
  const address = context.addressOf(req);
  reportWhenClosed(context, exchange, findings);
  try {
    const openRoute = findOpenRoute(req.method, req.url ?? '');
    if (openRoute !== undefined) {
      findings.route = openRoute;
      const { caller } = openRoute;
      await limitOf(context, openRoute)(address);
      await forward(context, exchange, openRoute, {
        caller: OPEN_CALLERS[caller],
        bodyKey: address,
        turnKey: address,
      });
      return;
    }

    const { caller, rateKey, proof } = await authenticate(
      context.credentials,
      req.headers.authorization,
      address,
    );
    findings.caller = caller;
    findings.span?.set({ 'fiado.caller.kind': caller.kind, 'fiado.caller.id': caller.id });
    exchange.rateHeaders = rateHeadersOf(await context.limitRate(rateKey));
    if (proof !== undefined) checkAddress(proof, address);
    const route = findRoute(req.url ?? '');
    if (route === undefined) throw new AppError('ROUTE_NOT_FOUND');
    findings.route = route;
    await forward(context, exchange, route, {
      caller,
      bodyKey: rateKey,
      // Of all its keys.
      turnKey: `${caller.kind} ${caller.id}`,
      ...(route.isSigned === true && proof !== undefined ? { proof } : {}),
    });
  } catch (thrown) {
    const error = toAppError(thrown);
    findings.errorCode = error.code;
    if (error.code === 'UNAUTHORIZED') {
      findings.refused = { address, keyId: error.keyId };
      countUnauthorized(req.headers.authorization === undefined, error.keyId);
      context.refusedCallers.add({ address, keyId: error.keyId, count: 1 });
    }
    if (error.kind === 'unexpected') context.log.error({ err: thrown, requestId }, error.code);
    answerError(exchange, error);
  }
}

function limitOf(
  { limitCallbacks, limitSessionUses, limitSignIns }: Context,
  { caller, usesSession }: OpenRoute,
): RateLimit {
  if (caller !== 'staff') return limitCallbacks;
  return usesSession === true ? limitSessionUses : limitSignIns;
}

/** The headers that most APIs use. A refused call gets Retry-After in their place. */
function rateHeadersOf(state: RateState | undefined): string[] {
  if (state === undefined) return [];
  const { limit, remaining, resetSeconds } = state;
  return [
    'RateLimit-Limit',
    String(limit),
    'RateLimit-Remaining',
    String(remaining),
    'RateLimit-Reset',
    String(resetSeconds),
  ];
}

/** One log line and one observation for each request: patterns and ids, never path or headers. */
function reportWhenClosed(
  { requestLog }: Context,
  { req, res, requestId }: Exchange,
  findings: Findings,
): void {
  const startedAt = performance.now();
  res.once('close', () => {
    const { caller, route, errorCode, refused, span } = findings;
    const ms = performance.now() - startedAt;
    const method = req.method ?? 'none';
    const status = res.headersSent ? res.statusCode : CALLER_LEFT;
    observeRequest(method, route?.pattern ?? 'none', status, ms / 1000);
    requestLog.info(
      {
        requestId,
        trace_id: span?.traceId,
        method,
        route: route?.pattern ?? 'none',
        upstream: route?.upstream,
        status,
        ms: Math.round(ms),
        callerKind: caller?.kind,
        callerId: caller?.id,
        errorCode,
        ...refused,
        ...(res.writableFinished ? {} : { cut: true }),
      },
      'request',
    );
  });
}
