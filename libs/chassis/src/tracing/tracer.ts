import { AppError } from '@fiado/contracts/errors';
import type { Span, SpanOptions, Tracer } from './span';

/** Absent while traces are off: then each function here costs one comparison. */
let tracer: Tracer | undefined;

/** Makes this the tracer of the process; undefined switches traces off. */
export function installTracer(installed: Tracer | undefined): void {
  tracer = installed;
}

/** Begins a span, which the caller ends. Undefined while traces are off. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.start(name, options);
}

/** Runs work below a span, where there is one. */
export function runIn<T>(span: Span | undefined, work: () => T): T {
  return span === undefined ? work() : span.run(work);
}

/** Does work in a span of its own, which ends with it. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = tracer?.start(name, options);
  return span === undefined ? work() : finished(span, work);
}

async function finished<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** What a span may hold of an error. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** The traceparent of what this work causes; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  return tracer?.current()?.traceparent;
}

/** The id of the trace that this work belongs to. */
export function currentTraceId(): string | undefined {
  return tracer?.current()?.traceId;
}
