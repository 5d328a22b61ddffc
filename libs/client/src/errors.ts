import type { ErrorCode, ErrorCodeOf, OperationId } from './types';

/** The answer that a FiadoError was made from. */
export interface Refusal {
  operation: string;
  status: number;
  code: string;
  message: string;
  problems?: string[];
  details?: Record<string, unknown>;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  replayed?: boolean;
}

/** The API refused a request. */
export class FiadoError extends Error {
  /** The operation, by its name in the API document. */
  readonly operation: OperationId | (string & {});
  /**
   * The `errorCode`. VALIDATION_FAILED if `problems` lists what is wrong with the request;
   * UNEXPECTED_ANSWER if the answer is not Fiado's, such as a proxy's page. New codes may come.
   */
  readonly code: ErrorCode | 'UNEXPECTED_ANSWER' | (string & {});
  /** HTTP status. */
  readonly status: number;
  /** The `errorMessage`, in English. */
  readonly errorMessage: string;
  /** The problem of each field, if the request failed validation. */
  readonly problems: readonly string[];
  /** Other fields of the answer, such as `maximumAmount`, `minimumAmount`, `reason` and `checksLeft`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Name it when you ask the lender about the request. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if the API named them. */
  readonly retryAfterSeconds: number | undefined;
  /** Whether it is the stored answer to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;

  constructor(refusal: Refusal) {
    const { operation, status, code, message, problems = [], requestId } = refusal;
    const details = problems.length === 0 ? message : problems.join('; ');
    super(`${operation}: ${status} ${code}: ${details}`);
    this.name = 'FiadoError';
    this.operation = operation;
    this.code = code;
    this.status = status;
    this.errorMessage = message;
    this.problems = problems;
    this.details = refusal.details ?? {};
    this.requestId = requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.replayed = refusal.replayed ?? false;
  }

  /** Whether the error has this code. With an operation, only that operation's codes compile. */
  is(code: ErrorCode): boolean;
  is<Operation extends OperationId>(operation: Operation, code: ErrorCodeOf<Operation>): boolean;
  is(first: string, second?: string): boolean {
    if (second === undefined) return this.code === first;
    return this.operation === first && this.code === second;
  }
}

/**
 * No answer came. The request may have taken effect: repeat it with this `idempotencyKey`, and it
 * takes effect once.
 */
export class FiadoConnectionError extends Error {
  readonly operation: OperationId | (string & {});
  /** The key of the request; undefined for a GET. */
  readonly idempotencyKey: string | undefined;
  /** ECONNREFUSED, ECONNRESET and the like, if it is known. */
  readonly code: string | undefined;

  constructor(
    request: { operation: string; url: string; idempotencyKey?: string | undefined },
    cause: unknown,
  ) {
    const code = codeOf(cause);
    const { origin } = new URL(request.url);
    const reason = code === undefined ? '' : ` (${code})`;
    super(`${request.operation}: no answer from ${origin}${reason}`, { cause });
    this.name = 'FiadoConnectionError';
    this.operation = request.operation;
    this.idempotencyKey = request.idempotencyKey;
    this.code = code;
  }
}

/** `fetch` puts the reason into the cause of a general error. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const found = cause?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** An answer, or the state that was waited for, did not come in time. */
export class FiadoTimeoutError extends Error {
  /** The key of the request, if it was one; repeat it with this key, and it takes effect once. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, idempotencyKey?: string) {
    super(message);
    this.name = 'FiadoTimeoutError';
    this.idempotencyKey = idempotencyKey;
  }
}

/** Why a webhook was refused. */
export type WebhookProblem = 'missing-header' | 'old-timestamp' | 'wrong-signature' | 'bad-body';

/** A webhook that must not be trusted: answer 400. */
export class FiadoWebhookError extends Error {
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.name = 'FiadoWebhookError';
    this.problem = problem;
  }
}
