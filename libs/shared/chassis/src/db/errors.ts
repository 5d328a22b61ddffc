/** Postgres' own error below TypeORM's wrapping; empty fields for any other error. */
export function driverError(error: unknown): { code?: string; constraint?: string } {
  const cause: unknown =
    error instanceof Error && 'driverError' in error ? error.driverError : error;
  return typeof cause === 'object' && cause !== null ? cause : {};
}

/**
 * SQLSTATEs of a server that can serve no client: no room or no free connection (53), a limit such as the last
 * transaction id (54), a file that cannot be read or written (58).
 */
const SERVER_UNABLE = /^5[348]...$/;

/**
 * SQLSTATEs that may concern one connection or table: a failed connection (08), an object that is not ready (55, but
 * for a lock time-out), a server that ends the connection (57), a fault inside the server (XX), a standby that takes
 * no writes (25006), and a connection that the server closed because this process stood still (25P03). A statement
 * that ran out of time (57014) is not among them: the server did answer.
 */
const SQL_STATES = /^(08...|55(?!P03)...|57(?!014)...|XX...|25006|25P03)$/;

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
const MESSAGES = /timeout exceeded when trying to connect|Connection terminated|is not queryable/;

/** Whether this is the answer of a server that can serve no client. */
export function isServerUnable(code = ''): boolean {
  return SERVER_UNABLE.test(code);
}

/** Whether a statement failed because the database cannot be reached or cannot work. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = driverError(error).code ?? '';
  return (
    isServerUnable(code) ||
    SQL_STATES.test(code) ||
    NETWORK_CODES.has(code) ||
    (error instanceof Error && MESSAGES.test(error.message))
  );
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed on that unique index or constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = driverError(error);
  return cause.code === UNIQUE_VIOLATION && cause.constraint === constraint;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === LOCK_NOT_AVAILABLE;
}
