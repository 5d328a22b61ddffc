import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Dispatcher, Pool } from '@fiado/chassis/undici';
import type { Settle } from '@fiado/chassis/clients/breaker';
import { wasNotSent, type Instances } from '@fiado/chassis/clients/instances';
import { type Caller, INTERNAL_TOKEN_HEADER, TOKEN_REFUSED_HEADER } from '@fiado/contracts/caller';
import type { Logger } from '@fiado/chassis/logger';
import { startSpan } from '@fiado/chassis/tracing/tracer';
import type { ProviderProof } from '@fiado/contracts/credential';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { checkSignature, SIGNATURE_HEADER } from '../credentials/check-proof';
import { observeForward } from '../metrics';
import { answerError, type Exchange } from './answer-error';
import { requestHeaders, responseHeaders } from './forwarded-headers';
import { REFUSED, takeBody, type RequestBody } from './request-bodies';
import type { CallerTurns } from './caller-turns';
import type { ApiRoute } from './route-table';

/** undici's code for a request that it refuses to write. The caller's headers are at fault, because ours are fixed. */
const NOT_WRITABLE = 'UND_ERR_INVALID_ARG';
/** The body that the signature of a GET covers. */
const NO_BODY = Buffer.alloc(0);
/**
 * A caller who disconnects after this time without an answer counts as a failure of the service.
 */
const UNANSWERED_MS = 2_000;
/**
 * A call without the beginning of an answer after this part of its deadline counts as failed, so
 * that the circuit breaker opens before the first callers have waited in full.
 */
const SLOW_PART = 0.5;
/**
 * Milliseconds without an answer after which the gateway checks that the instance is alive. Few calls take as long;
 * a wait for a lock takes longer.
 */
const SILENCE_MS = 1_000;

interface Forwarding extends Exchange {
  route: ApiRoute;
  instances: Instances;
  /** The instance that has it. */
  pool: Pool;
  log: Logger;
  body: RequestBody;
  /** The answer to the last try; aborting it ends the request to the service. */
  answer?: PassAnswer;
  /** The caller disconnected or the deadline passed: later answers are ignored. */
  givenUp: boolean;
  /** Ends the call for the breaker. */
  settle: Settle;
}

/**
 * Forwards a request to its service and streams the answer back. An unavailable service or a
 * time-out is a 503; while the circuit breaker is open, it is a 503 at once. A request that was not
 * sent because an instance is gone, or that an instance refused for the token, goes to another instance. A GET is also retried once if its
 * connection fails; any other method may already have had its effect.
 * @param bodyKey whose body bytes in flight are counted together
 * @param turnKey whose requests the service works on together
 * @param proof how the body is signed, where it is
 * @throws AppError PAYLOAD_TOO_LARGE, RATE_LIMIT_EXCEEDED when too many body bytes are in flight or requests wait,
 * SIGNATURE_NOT_VALID, SERVICE_UNAVAILABLE at once while the breaker is open
 */
export async function forward(
  { upstreams, tokens, timing, log, limitBodies, clock }: Context,
  exchange: Exchange,
  route: ApiRoute,
  {
    caller,
    bodyKey,
    turnKey,
    proof,
  }: { caller: Caller; bodyKey: string; turnKey: string; proof?: ProviderProof },
): Promise<void> {
  const { req, res } = exchange;
  const { instances, breaker, turns } = upstreams[route.upstream];
  // Checked before reading the body, so that bodies for a service that does not answer do not fill
  // the memory.
  if (breaker.isOpen) throw new AppError('SERVICE_UNAVAILABLE');
  const safe = isSafe(req);
  // If the caller has left, `close` would not fire again to release the bytes.
  if (res.closed) return;
  const inFlight = limitBodies(bodyKey);
  res.once('close', () => inFlight.end(res.statusCode));
  // The body of a GET was counted when it arrived, and stays here.
  const body = safe
    ? null
    : await takeBody(req, inFlight, {
        maxLength: route.maxBodyLength,
        isWhole: route.isWhole === true || proof !== undefined,
      });
  if (res.closed) return;
  // A signed body is never streamed.
  const hasSigned =
    proof !== undefined &&
    !(body instanceof PassThrough) &&
    checkSignature(proof, {
      header: req.headers[SIGNATURE_HEADER],
      body: body ?? NO_BODY,
      now: clock.now(),
    });
  const vouched = hasSigned ? { ...caller, hasSigned } : caller;
  const token = await tokens.sign(route.upstream, vouched);

  // Not before the body, which may arrive slowly.
  const deadlineMs = route.deadlineMs ?? timing.forward;
  let refusal: AppError | undefined;
  if (body instanceof PassThrough) body.once(REFUSED, (error: AppError) => (refusal = error));
  const waitMs = await waitForTurn(turns, exchange, { caller: turnKey, route, deadlineMs });
  if (res.closed) return;
  if (refusal !== undefined) throw refusal;

  const options = requestOf(exchange, route, { token, body });
  // Field by field: a spread gives each exchange a hidden class that V8 has not seen.
  const forwarding: Forwarding = {
    req,
    res,
    requestId: exchange.requestId,
    rateHeaders: exchange.rateHeaders,
    route,
    instances,
    pool: instances.next(),
    log,
    body,
    givenUp: false,
    // Throws if the breaker opened while the body was read or the request waited.
    settle: breaker.start(),
  };
  limitTime(forwarding, deadlineMs, waitMs);
  limitBody(forwarding);
  send(forwarding, options, { triesLeft: instances.tries - 1, mayRepeat: safe });
}

/** The request to the service, in a span that ends with the exchange. */
function requestOf(
  { req, res, requestId }: Exchange,
  route: ApiRoute,
  { token, body }: { token: string; body: RequestBody },
): Dispatcher.DispatchOptions {
  const span = startSpan(`forward to ${route.upstream}`, {
    kind: 'client',
    attributes: { 'peer.service': route.upstream },
  });
  res.once('close', () => span?.end());
  return {
    method: req.method as Dispatcher.HttpMethod,
    path: req.url ?? '/',
    // Our headers come first: a service reads at most 2,000 headers, and the caller may send as
    // many.
    headers: [INTERNAL_TOKEN_HEADER, token, 'x-request-id', requestId].concat(
      span === undefined ? [] : ['traceparent', span.traceparent],
      requestHeaders(req.rawHeaders, body !== null),
    ),
    body,
  };
}

/**
 * Waits until the service works on fewer requests of this caller than it may. Those that only
 * read wait apart, and a route with a longer deadline never waits: neither must hold up orders.
 * @returns milliseconds
 * @throws AppError RATE_LIMIT_EXCEEDED when too many wait, SERVICE_UNAVAILABLE after the deadline
 */
async function waitForTurn(
  turns: CallerTurns,
  { req, res }: Exchange,
  { caller, route, deadlineMs }: { caller: string; route: ApiRoute; deadlineMs: number },
): Promise<number> {
  if (route.deadlineMs !== undefined) return 0;
  const turn = turns.enter({ caller, kind: isSafe(req) ? 'reads' : 'writes' }, res, deadlineMs);
  if (turn === undefined) return 0;
  const startedAt = performance.now();
  await turn;
  return performance.now() - startedAt;
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * One deadline for queueing, request and answer. It starts again while the body still arrives; the
 * server limits that time. It also ends when the caller disconnects.
 * @param waitedMs how much of it the request waited at the gateway
 */
function limitTime(forwarding: Forwarding, deadlineMs: number, waitedMs: number): void {
  const { req, res, body, settle } = forwarding;
  const startedAt = performance.now();
  const deadline = setTimeout(() => {
    const serviceIsSlow = body instanceof PassThrough && body.writableNeedDrain;
    const callerIsSlow = !req.complete && !serviceIsSlow;
    if (callerIsSlow) {
      deadline.refresh();
      return;
    }
    if (res.headersSent) res.destroy();
    else answerError(forwarding, new AppError('SERVICE_UNAVAILABLE'));
    // A service that got the request late is not slow.
    const isSlow = performance.now() - startedAt > deadlineMs * SLOW_PART;
    settle(isSlow ? 'failed' : 'answered');
    giveUp(forwarding);
  }, deadlineMs - waitedMs);

  const slow = setTimeout(() => {
    if (!req.complete || res.headersSent) return;
    settle('failed');
    forwarding.instances.setAside(forwarding.pool);
  }, deadlineMs * SLOW_PART);

  const silence = setTimeout(() => void refuseIfDead(forwarding), SILENCE_MS);

  res.once('close', () => {
    clearTimeout(silence);
    clearTimeout(deadline);
    clearTimeout(slow);
    const hasWaited = performance.now() - startedAt > UNANSWERED_MS && req.complete;
    settle(hasWaited && !res.headersSent ? 'failed' : 'answered');
    if (!res.writableFinished) giveUp(forwarding);
  });
}

/**
 * Ends a call to a process that does not respond, instead of keeping its caller until the deadline. The call may still
 * take effect if the process continues, as after the deadline.
 */
async function refuseIfDead(forwarding: Forwarding): Promise<void> {
  const { req, res, instances, pool, settle } = forwarding;
  if (!req.complete || res.headersSent || (await instances.isAlive(pool))) return;
  if (res.headersSent || forwarding.givenUp || forwarding.pool !== pool) return;
  answerError(forwarding, new AppError('SERVICE_UNAVAILABLE'));
  settle('failed');
  giveUp(forwarding);
}

/** A body that exceeds a limit while it arrives is the caller's fault, not the service's. */
function limitBody(forwarding: Forwarding): void {
  const { body, settle } = forwarding;
  if (!(body instanceof PassThrough)) return;
  body.once(REFUSED, (error: AppError) => {
    answerError(forwarding, error);
    settle('answered');
    giveUp(forwarding);
  });
}

function giveUp(forwarding: Forwarding): void {
  if (forwarding.givenUp) return;
  forwarding.givenUp = true;
  forwarding.answer?.abort();
  // A request that still waits for a connection has not taken its body over.
  if (forwarding.body instanceof PassThrough) forwarding.body.destroy();
}

function send(
  forwarding: Forwarding,
  options: Dispatcher.DispatchOptions,
  { triesLeft, mayRepeat }: { triesLeft: number; mayRepeat: boolean },
): void {
  const { res, requestId, route, instances, pool, log, settle } = forwarding;
  const startedAt = performance.now();
  const answer = new PassAnswer(forwarding, (error) => {
    const outcome = error === null ? 'answered' : 'failed';
    observeForward(route.upstream, outcome, (performance.now() - startedAt) / 1000);
    if (error === null || res.headersSent) settle(outcome);
    if (error === null || forwarding.givenUp || res.headersSent) return;
    const notSent = wasNotSent(error) || error instanceof TokenRefused;
    if (notSent) instances.setAside(pool);
    // A streamed body is lost with the failed attempt.
    if (triesLeft > 0 && notSent && !(options.body instanceof PassThrough)) {
      forwarding.pool = instances.next(pool);
      send(forwarding, options, { triesLeft: triesLeft - 1, mayRepeat });
      return;
    }
    if (mayRepeat) {
      forwarding.pool = instances.next();
      send(forwarding, options, { triesLeft, mayRepeat: false });
      return;
    }
    const reason = codeOf(error);
    settle(reason === NOT_WRITABLE || error instanceof TokenRefused ? 'answered' : 'failed');
    log.warn({ requestId, upstream: route.upstream, reason }, 'service unreachable');
    const code = reason === NOT_WRITABLE ? 'MALFORMED_REQUEST' : 'SERVICE_UNAVAILABLE';
    answerError(forwarding, new AppError(code));
  });
  forwarding.answer = answer;
  pool.dispatch(options, answer);
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.name;
}

/** An instance refused our token, because its clock or its keys are wrong. It has done nothing. */
class TokenRefused extends Error {
  readonly code = 'TOKEN_REFUSED';
}

/** An answer up to this length, in bytes, that comes in one piece leaves in one piece. */
const MAX_WHOLE_LENGTH = 16 * 1024;

/** Statuses below this only announce an answer; undici reports them as well (RFC 9110, 15.2). */
const FIRST_FINAL_STATUS = 200;

/**
 * Writes a service's answer to the caller's response as it arrives, and waits for the caller where
 * that is slower. It is undici's own interface: `pool.stream` adds a listener, an async resource and a
 * signal to each request.
 */
class PassAnswer implements Dispatcher.DispatchHandler {
  private readonly res: ServerResponse;
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  #hasBegun = false;
  #isRefused = false;
  /** Its declared length, in bytes. */
  #length: number | undefined;
  /** All of a short body. */
  #whole: Buffer | undefined;

  /** @param end called once, with null when the whole answer has been passed on */
  constructor(
    private readonly exchange: Exchange,
    private readonly end: (error: Error | null) => void,
  ) {
    this.res = exchange.res;
  }

  /** Ends the request to the service, now or when its connection is there. */
  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error('Given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    fields: IncomingHttpHeaders,
  ): void {
    if (statusCode < FIRST_FINAL_STATUS || this.res.headersSent) return;
    // Its body is short: reading it keeps the connection.
    this.#isRefused = fields[TOKEN_REFUSED_HEADER] !== undefined;
    if (this.#isRefused) return;
    this.#hasBegun = true;
    this.#length = Number(fields['content-length']);
    const raw = (controller.rawHeaders ?? []) as Buffer[];
    const { rateHeaders, requestId } = this.exchange;
    const headers = responseHeaders(raw.map((text) => text.toString('latin1')));
    this.res.writeHead(statusCode, rateHeaders.concat(headers, 'X-Request-Id', requestId));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A response that was destroyed reports a write as an error that nobody handles.
    if (this.#isRefused || this.res.destroyed) return;
    // The whole body has come: `onResponseEnd` follows immediately.
    if (chunk.length === this.#length && chunk.length <= MAX_WHOLE_LENGTH) {
      this.#whole = chunk;
      return;
    }
    if (this.res.write(chunk)) return;
    controller.pause();
    this.res.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#isRefused) {
      this.end(new TokenRefused());
      return;
    }
    if (this.#whole === undefined) this.res.end();
    // As text it leaves in one piece with the headers.
    else this.res.end(this.#whole.toString('latin1'), 'latin1');
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // Shows the caller that the answer is incomplete. An answer of the gateway itself is left alone.
    if (this.#hasBegun) this.res.destroy();
    this.end(error);
  }
}
