import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { STATEMENT_TIMEOUT_MS } from './roles';

/** The server ends a statement first and reports why, if the connection is alive. */
const MARGIN_MS = 500;

/** How long the answer to a statement is waited for, in milliseconds, whose server ends it by itself after `timeoutMs`. */
export function answerLimitOf(timeoutMs: number): number {
  return timeoutMs + MARGIN_MS;
}

/** Longest wait for the answer to a statement of a service's role, in milliseconds. */
export const ANSWER_LIMIT_MS = answerLimitOf(STATEMENT_TIMEOUT_MS);

/**
 * Milliseconds after which a statement of a service's role has ended, counted from when it was sent, whatever its
 * connection did. It arrives before its client resets the connection, and runs for its time-out at most.
 */
export const STATEMENT_ENDED_MS = ANSWER_LIMIT_MS + STATEMENT_TIMEOUT_MS;

/**
 * Options of every connection: one on which nothing is sent is probed after 5 s and ends 10 s later. Statements
 * have the limit above.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/** A statement with a limit of its own, in milliseconds. */
export interface Limited {
  text: string;
  answerWithinMs: number;
}

/**
 * A connection that does not wait for ever. Where packets are dropped without a word, as in the failover of a managed
 * database, the operating system waits for 15 minutes. After the limit the connection is reset, and the outcome of
 * its statement is unknown. It then emits `silent`.
 */
export class LimitedClient extends Client {
  /** For each statement that names none, in milliseconds. */
  answerWithinMs = ANSWER_LIMIT_MS;
  /** The TCP socket, also below TLS. */
  private readonly socket: Socket;
  /** Statements without an answer. */
  private unanswered = 0;

  constructor(config?: ClientConfig) {
    super(config);
    this.socket = this.wire.stream;
    // The failed statement reports the loss, too. Without a listener the event would end the process.
    this.on('error', () => undefined);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => this.sendWithin(send, given)) as typeof this.query;
  }

  /** Ends the connection at once. Its statement fails, and what the server has not received it never will. */
  reset(error: Error = new Error('The connection was reset')): void {
    this.wire.emit('error', error);
    // A Unix socket has no address, and cannot be reset.
    if (this.socket.remoteAddress === undefined) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  /** Calls with the SQLSTATE of each error that the server answers. */
  onErrorCode(listener: (code: string | undefined) => void): void {
    this.wire.on('errorMessage', ({ code }: { code?: string }) => listener(code));
  }

  /** Whether a statement waits for its answer. */
  get isBusy(): boolean {
    return this.unanswered > 0;
  }

  private get wire(): EventEmitter & { stream: Socket } {
    return (this as unknown as { connection: EventEmitter & { stream: Socket } }).connection;
  }

  private sendWithin(send: (...given: unknown[]) => unknown, given: unknown[]): unknown {
    const { answerWithinMs = this.answerWithinMs } = given[0] as Partial<Limited>;
    let isLate: NodeJS.Immediate | undefined;
    this.unanswered += 1;
    const limit = setTimeout(() => {
      // Sockets are read first: a process that stood still has its answer there.
      isLate = setImmediate(() => {
        const problem = `Postgres did not answer within ${answerWithinMs} ms`;
        this.reset(Object.assign(new Error(problem), { code: 'ETIMEDOUT' }));
        this.emit('silent');
      });
    }, answerWithinMs);
    const answered = (): void => {
      this.unanswered -= 1;
      clearTimeout(limit);
      clearImmediate(isLate);
    };
    const callback: unknown = given.at(-1);
    if (typeof callback !== 'function') {
      const answer = send(...given) as Promise<unknown>;
      answer.then(answered, answered);
      return answer;
    }
    return send(...given.slice(0, -1), (...answer: unknown[]) => {
      answered();
      callback(...answer);
    });
  }
}

/** Sets the limit of the statements that follow on a connection, until its pool hands it out again. */
export function answerWithin(client: ClientBase, limitMs: number): void {
  if (client instanceof LimitedClient) client.answerWithinMs = limitMs;
}
