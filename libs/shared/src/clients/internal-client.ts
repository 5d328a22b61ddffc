import { INTERNAL_TOKEN_HEADER, type InternalTokens } from '../chassis/internal-token';
import { currentRequestId } from '../chassis/request-context';
import { AppError, isErrorCode } from '../contracts/errors';
import { Breaker } from './breaker';
import { Instances, wasNotSent } from './instances';

/** A neighbour that has not answered in this time is treated as away. */
const DEADLINE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** Connections to one instance of a neighbour; more requests than that wait in line. */
const CONNECTIONS = 32;
/** Shorter than the servers' own 65 s, so that we never send on a connection they just closed. */
const KEEP_ALIVE_MS = 30_000;

export interface InternalClientOptions {
  /** Name of the service that is called. */
  neighbour: string;
  /** One URL, or several with commas between them. */
  baseUrl: string;
  /** The calling service's name. */
  service: string;
  tokens: InternalTokens;
}

/** An answer, whatever it says. */
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

  constructor(private readonly options: InternalClientOptions) {
    this.breaker = new Breaker(options.neighbour, 'ask');
    this.instances = new Instances(options.baseUrl, {
      connections: CONNECTIONS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: DEADLINE_MS,
      bodyTimeout: DEADLINE_MS,
    });
  }

  /**
   * Asks a neighbour something that does no harm twice; a call without an answer is tried once more.
   * @throws AppError the neighbour's own, or SERVICE_UNAVAILABLE when it cannot be reached
   */
  async ask<Answer>(path: string, question: object): Promise<Answer> {
    return this.post<Answer>(path, question).catch((error: unknown) => {
      if (error instanceof AppError && error.kind !== 'unavailable') throw error;
      if (this.breaker.isOpen) throw error;
      return this.post<Answer>(path, question);
    });
  }

  /**
   * Tells a neighbour to do something, once: when its answer is lost it may have been done.
   * @throws AppError the neighbour's own, or SERVICE_UNAVAILABLE when it cannot be reached
   */
  tell<Answer>(path: string, command: object): Promise<Answer> {
    return this.post<Answer>(path, command);
  }

  async close(): Promise<void> {
    this.breaker.close();
    await this.instances.close();
  }

  private async post<Answer>(path: string, body: object): Promise<Answer> {
    const { statusCode, body: answer } = await this.breaker
      .run(() => this.send(path, body, this.instances.tries - 1))
      .catch((error: unknown) => {
        if (error instanceof AppError) throw error;
        throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
      });
    if (statusCode >= 400) throw rebuiltError(answer);
    return answer as Answer;
  }

  private async send(path: string, body: object, triesLeft: number): Promise<Answered> {
    const requestId = currentRequestId();
    const pool = this.instances.next();
    const signal = AbortSignal.timeout(DEADLINE_MS);
    try {
      const response = await pool.request({
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          [INTERNAL_TOKEN_HEADER]: this.options.tokens.sign({
            kind: 'service',
            id: this.options.service,
            name: this.options.service,
            scopes: [],
          }),
          ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        },
        body: JSON.stringify(body),
        signal,
      });
      return { statusCode: response.statusCode, body: await response.body.json() };
    } catch (error) {
      const notSent = wasNotSent(error);
      // One that hangs would keep its share of all calls waiting for their deadline.
      if (notSent || signal.aborted) this.instances.setAside(pool);
      // Nobody has heard it, so another instance may be told.
      if (notSent && triesLeft > 0) return this.send(path, body, triesLeft - 1);
      throw error;
    }
  }
}

function rebuiltError(answer: unknown): AppError {
  const { errorCode, errorMessage } = answer as { errorCode?: unknown; errorMessage?: unknown };
  if (!isErrorCode(errorCode)) return new AppError('SERVICE_UNAVAILABLE');
  // It is there but will not listen to us: away, for our caller; whoever runs us reads the cause.
  if (errorCode === 'INTERNAL_TOKEN_NOT_VALID') {
    return new AppError('SERVICE_UNAVAILABLE', { cause: new AppError(errorCode) });
  }
  // A neighbour's bug is not ours to repeat to the caller as if it were a refusal.
  if (errorCode === 'INTERNAL_ERROR') return new AppError('SERVICE_UNAVAILABLE');
  return new AppError(errorCode, { message: String(errorMessage) });
}
