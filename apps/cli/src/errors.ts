import { FiadoConnectionError, FiadoError, FiadoTimeoutError } from '@fiado/client';
import type { Route } from '@fiado/client/resources';
import { ROUTES } from '@fiado/ops-client/generated/resources';

/** Everything went well. */
export const EXIT_FINE = 0;
/** The API refused a request, or an invariant is violated. */
export const EXIT_REFUSED = 1;
/** The command line, a file it names or the environment is wrong; nothing was changed. */
export const EXIT_USAGE = 2;
/** The API or a service behind it cannot be reached. */
export const EXIT_UNREACHABLE = 3;

/** Failures in which no byte of the request was sent. */
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The command line is invalid. */
export class UsageError extends Error {}

/** The command found a problem, or had to stop. */
export class CommandFailed extends Error {}

/** The command asked, and learned nothing: a service behind the API is unavailable. */
export class NotAsked extends Error {}

/** The exit code that an error ends the command with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE;
  return isUnreachable(error) ? EXIT_UNREACHABLE : EXIT_REFUSED;
}

/** No answer, a service that is unavailable, or another program at the address. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof NotAsked) return true;
  if (error instanceof FiadoConnectionError || error instanceof FiadoTimeoutError) return true;
  // A 500 is an answer of the service itself.
  return error instanceof FiadoError && (error.status > 500 || error.code === 'UNEXPECTED_ANSWER');
}

/** The text of an error for a person: one line, and a line for each problem of a request. */
export function textOf(error: unknown): string {
  const warning = mayHaveTakenEffect(error)
    ? '; the request may have taken effect: check before you repeat it'
    : '';
  if (!(error instanceof FiadoError)) {
    return `${error instanceof Error ? error.message : String(error)}${warning}`;
  }
  const { code, errorMessage, status, problems, requestId } = error;
  const request = status >= 500 && requestId !== undefined ? ` (request ${requestId})` : '';
  const answered = code === 'UNEXPECTED_ANSWER' ? ` (status ${status})` : '';
  return [`${code}: ${errorMessage}${answered}${request}${warning}`, ...problems].join('\n  ');
}

/** Whether the effect of a request that must not be repeated is unknown. */
function mayHaveTakenEffect(error: unknown): boolean {
  if (!isUnreachable(error)) return false;
  const { operation, code } = error as { operation?: string; code?: string };
  const routes: Record<string, Route> = ROUTES;
  return routes[operation ?? '']?.once === true && !NOT_SENT_CODES.has(code ?? '');
}
