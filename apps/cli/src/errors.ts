import { FiadoConnectionError, FiadoError, FiadoTimeoutError } from '@fiado/client';

/** Everything went well. */
export const EXIT_FINE = 0;
/** The API refused a request, or an invariant is violated. */
export const EXIT_REFUSED = 1;
/** The command line, a file it names or the environment is wrong; nothing was sent. */
export const EXIT_USAGE = 2;
/** The API or a service behind it cannot be reached. */
export const EXIT_UNREACHABLE = 3;

/** The command line is invalid. */
export class UsageError extends Error {}

/** The command found a problem, or had to stop. */
export class CommandFailed extends Error {}

export interface RefusalDetails {
  status: number;
  errorCode: string;
  /** One text for each problem of a body or query that failed its checks. */
  problems?: string[];
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** The API answered with an error. */
export class ApiRefusal extends Error {
  constructor(
    message: string,
    readonly details: RefusalDetails,
  ) {
    super(message);
  }
}

/** No answer, or a service is unavailable: a later call may succeed. */
export class Unreachable extends Error {
  /** Whether the request may have arrived, so that its effect is unknown. */
  readonly mayHaveArrived: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { mayHaveArrived: boolean; retryAfterMs?: number }) {
    super(message);
    this.mayHaveArrived = options.mayHaveArrived;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Another program answered: the address is wrong. */
export class WrongAddress extends Error {}

/** The exit code that an error ends the command with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  if (error instanceof Unreachable || error instanceof WrongAddress) return EXIT_UNREACHABLE;
  if (error instanceof FiadoConnectionError || error instanceof FiadoTimeoutError) {
    return EXIT_UNREACHABLE;
  }
  if (error instanceof FiadoError && (error.status > 500 || error.code === 'UNEXPECTED_ANSWER')) {
    return EXIT_UNREACHABLE;
  }
  return EXIT_REFUSED;
}

/** What went wrong, for a person: one line, and a line for each problem of a request. */
export function textOf(error: unknown): string {
  if (!(error instanceof ApiRefusal)) return error instanceof Error ? error.message : String(error);
  const { errorCode, status, problems = [], requestId } = error.details;
  const request = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : '';
  return [`${errorCode}: ${error.message}${request}`, ...problems].join('\n  ');
}
