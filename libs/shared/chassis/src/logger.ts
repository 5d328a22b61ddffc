import { format } from 'node:util';
import { pino, type Logger as PinoLogger } from 'pino';
import { currentIds } from './request-context';
import { currentTraceId } from './tracing/tracer';

export type Logger = PinoLogger;

/** Bytes that are written together: a busy process would otherwise make a system call for each line. */
const WRITE_BYTES = 8 * 1024;
/** A line is written after this at the latest, in milliseconds. */
const FLUSH_MS = 50;
/** A flush during a slow write does nothing: this many, a second, are enough for one that works. */
const FLUSHES_AFTER_LINE = 20;
/** While nobody reads stdout, lines beyond this are dropped: the process must not run out of memory. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Fields that must never reach a log. */
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
 * The parts of an error that are logged: name, message, code and stack. Database errors carry row values in `detail`,
 * `parameters` and `query`, and HTTP errors the body of the request.
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

let stdout: ReturnType<typeof pino.destination> | undefined;

/** One stream for all loggers of the process, so that their lines keep their order. */
function openStdout(): ReturnType<typeof pino.destination> {
  if (stdout !== undefined) return stdout;
  const opened = pino.destination({
    fd: process.stdout.fd,
    sync: false,
    minLength: WRITE_BYTES,
    maxLength: MAX_BUFFERED_BYTES,
  });
  flushWhileLogging(opened);
  return (stdout = opened);
}

/**
 * Writes each FLUSH_MS what was collected, until no line came for a second. The stream's own
 * periodicFlush never stops: it makes 20 system calls a second, most of what an idle process did.
 */
function flushWhileLogging(stream: ReturnType<typeof pino.destination>): void {
  const write = stream.write.bind(stream);
  let timer: NodeJS.Timeout | undefined;
  let flushesLeft = 0;
  const flush = (): void => {
    stream.flush();
    flushesLeft -= 1;
    if (flushesLeft > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  stream.write = (line) => {
    flushesLeft = FLUSHES_AFTER_LINE;
    timer ??= setInterval(flush, FLUSH_MS).unref();
    return write(line);
  };
}

/** A new object each time: pino writes a line's own fields into it. */
function currentNames(): object {
  const traceId = currentTraceId();
  return traceId === undefined ? { ...currentIds() } : { ...currentIds(), trace_id: traceId };
}

/** Makes what libraries print a line of the log: BullMQ warns so about a Redis. */
export function logConsole(log: Logger): void {
  Object.assign(console, {
    warn: (...parts: unknown[]) => log.warn(format(...parts)),
    error: (...parts: unknown[]) => log.error(format(...parts)),
  });
}

/**
 * A service's logger: JSON lines on stdout with the service's name and the ids of request, job and
 * trace.
 * Lines are collected for FLUSH_MS and written together. A process that ends writes the rest; one
 * that is killed loses it.
 */
export function createLogger(service: string, level: string): Logger {
  return pino(
    {
      level,
      base: { service },
      redact: { paths: REDACTED, censor: '[redacted]' },
      serializers: { err: describeError },
      mixin: currentNames,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    openStdout(),
  );
}
