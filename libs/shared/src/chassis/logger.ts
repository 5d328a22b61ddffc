import { pino, type Logger as PinoLogger } from 'pino';
import { currentIds } from './request-context';

export type Logger = PinoLogger;

/** Fields that must never reach a log, wherever a careless line puts them. */
const REDACTED = [
  'authorization',
  'code',
  'errorCode',
  'phoneNumber',
  'firstName',
  'lastNames',
  'fullName',
  'apiKey',
  'accessToken',
  'word',
  'deliveryWord',
  'base64Content',
].flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/**
 * What a log keeps of an error. Database errors carry row values in `detail`, `parameters` and
 * `query`, HTTP errors the request's body: only name, message, code and stack are let through.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { sqlState: code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** A service's logger: JSON lines on stdout with the service's name and the ids of request and job. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: describeError },
    // A copy: pino writes a line's own fields into it.
    mixin: () => ({ ...currentIds() }),
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
