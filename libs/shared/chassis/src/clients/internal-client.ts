import type { Pool } from '../undici';
import { INTERNAL_TOKEN_HEADER, TOKEN_REFUSED_HEADER } from '@fiado/contracts/caller';
import { type InternalTokens } from '../keys/internal-token';
import { currentRequestId } from '../request-context';
import { currentTraceparent, inSpan } from '../tracing/tracer';
import type { CallDefinition } from '@fiado/contracts/define';
import { AppError, isErrorCode } from '@fiado/contracts/errors';
import type { ProcessName } from '@fiado/contracts/process-names';
import { Breaker } from './breaker';
import { Instances, wasNotSent } from './instances';

/** A service that has not answered in this time is treated as unavailable. */
const DEADLINE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** Connections to one instance of another service; more requests than that wait in line. */
const CONNECTIONS = 32;
/** Shorter than the servers' own 65 s, so that we never send on a connection they just closed. */
const KEEP_ALIVE_MS = 30_000;

export interface InternalClientOptions {
  /** The service that is called. */
  upstream: ProcessName;
  /** One URL, or several with commas between them. */
  baseUrl: string;
  tokens: InternalTokens;
  /** Another than DEADLINE_MS, for answers that are worth more or less of a wait, in milliseconds. */
  deadlineMs?: number;
  /** The purpose of the calls, if a process has two clients of a service; for the metrics. */
  use?: string;
}

/** An answer with any status. */
interface Answered {
  statusCode: number;
  body: unknown;
}

/**
 * Calls from service to service: a deadline, a breaker, the request's id, and errors as they were
 * thrown.
 */
export class InternalClient {
  private readonly instances: Instances;
  private readonly breaker: Breaker;
  private readonly deadlineMs: number;

  /** The service that it calls. */
  get name(): ProcessName {
    return this.options.upstream;
  }

  constructor(private readonly options: InternalClientOptions) {
    this.deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.breaker = new Breaker({ upstream: options.upstream, use: options.use ?? 'ask' });
    this.instances = new Instances(options.baseUrl, {
      connections: CONNECTIONS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: this.deadlineMs,
      bodyTimeout: this.deadlineMs,
    });
  }

  /**
   * Calls another service with a request that is safe to repeat; a call without an answer is
   * retried once.
   * @throws AppError that of the called service, or SERVICE_UNAVAILABLE when it cannot be reached
   */
  async ask<Body extends object, Answer extends object>(
    call: CallDefinition<Body, Answer>,
    question: NoInfer<Body>,
  ): Promise<Answer> {
    return this.post(call, question).catch((error: unknown) => {
      if (error instanceof AppError && error.kind !== 'unavailable') throw error;
      if (this.breaker.isOpen) throw error;
      return this.post(call, question);
    });
  }

  /**
   * Sends a command to another service, once: if its answer is lost it may have taken effect.
   * @throws AppError that of the called service, or SERVICE_UNAVAILABLE when it cannot be reached
   */
  tell<Body extends object, Answer extends object>(
    call: CallDefinition<Body, Answer>,
    command: NoInfer<Body>,
  ): Promise<Answer> {
    return this.post(call, command);
  }

  async close(): Promise<void> {
    await this.instances.close();
  }

  private async post<Body extends object, Answer extends object>(
    { path }: CallDefinition<Body, Answer>,
    body: Body,
  ): Promise<Answer> {
    const { statusCode, body: answer } = await this.breaker
      .run(() => this.call(path, body))
      .catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
      });
    if (statusCode >= 400) throw rebuiltError(answer);
    return answer as Answer;
  }

  private call(path: string, body: object): Promise<Answered> {
    const attributes = { 'peer.service': this.options.upstream };
    return inSpan(`POST ${path}`, { kind: 'client', attributes }, () =>
      this.send(path, body, this.instances.tries - 1),
    );
  }

  /** @param refused connections to the instance that the request was not sent to before */
  private async send(
    path: string,
    body: object,
    triesLeft: number,
    refused?: Pool,
  ): Promise<Answered> {
    const { upstream, tokens } = this.options;
    const requestId = currentRequestId();
    const traceparent = currentTraceparent();
    const pool = this.instances.next(refused);
    const signal = AbortSignal.timeout(this.deadlineMs);
    try {
      const response = await pool.request({
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          [INTERNAL_TOKEN_HEADER]: await tokens.sign(upstream),
          ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body: JSON.stringify(body),
        signal,
      });
      const answered = { statusCode: response.statusCode, body: await response.body.json() };
      if (response.headers[TOKEN_REFUSED_HEADER] === undefined) return answered;
      // The instance refused our token: its clock or its keys are wrong. It did nothing.
      this.instances.setAside(pool);
      return triesLeft > 0 ? await this.send(path, body, triesLeft - 1, pool) : answered;
    } catch (error) {
      const notSent = wasNotSent(error);
      // An instance that hangs would keep its share of all calls waiting for their deadline.
      if (notSent || signal.aborted) this.instances.setAside(pool);
      // The command was not sent, so another instance may get it.
      if (notSent && triesLeft > 0) return this.send(path, body, triesLeft - 1, pool);
      throw error;
    }
  }
}

function rebuiltError(answer: unknown): AppError {
  const { errorCode, errorMessage, keyId, reason } = answer as Record<string, unknown>;
  if (!isErrorCode(errorCode)) return new AppError('SERVICE_UNAVAILABLE');
  // The service rejects our token. For the caller it is unavailable; the log has the cause for the
  // operator.
  if (errorCode === 'INTERNAL_TOKEN_NOT_VALID') {
    return new AppError('SERVICE_UNAVAILABLE', { cause: new AppError(errorCode) });
  }
  // A bug of another service must not reach the caller as a refusal.
  if (errorCode === 'INTERNAL_ERROR') return new AppError('SERVICE_UNAVAILABLE');
  return new AppError(errorCode, {
    message: String(errorMessage),
    keyId: typeof keyId === 'string' ? keyId : undefined,
    fields: typeof reason === 'string' ? { reason } : {},
  });
}
