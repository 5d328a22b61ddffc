import { driverError } from './query';

/**
 * SQLSTATE codes of a database that cannot do its work: connection failures (08), no room or no free
 * connection (53), shutting down or starting (57P01 to 57P05), a standby that takes no writes (25006),
 * and a connection that the database closed because this process stood still (25P03). A statement that ran out of time (57014) is not among them: the database did answer.
 */
const SQL_STATES = /^(08...|53...|57P0\d|25006|25P03)$/;

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg's pool and client report these without a code. */
const MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Query read timeout/;

/** Whether a statement failed because the database cannot be reached or cannot work. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = driverError(error).code ?? '';
  return (
    SQL_STATES.test(code) ||
    NETWORK_CODES.has(code) ||
    (error instanceof Error && MESSAGES.test(error.message))
  );
}
