import { AppError } from '@fiado/contracts/errors';

/**
 * The only attributes that a span may have, named as OpenTelemetry does. None holds personal data or
 * free text of a caller: names are patterns and types of ours, ids are ours.
 */
export interface SpanAttributes {
  'http.request.method'?: string;
  /** The pattern of the route, never the path. */
  'http.route'?: string;
  'http.response.status_code'?: number;
  /** The service or provider that is called. */
  'peer.service'?: string;
  'db.system.name'?: 'postgresql';
  /** Name of the statement. */
  'db.query.summary'?: string;
  'messaging.destination.name'?: string;
  /** Id of the job. */
  'messaging.message.id'?: string;
  /** Code of an error of ours, or the class of any other; never its message. */
  'error.type'?: string;
  'fiado.caller.kind'?: string;
  'fiado.caller.id'?: string;
  'fiado.message.id'?: string;
  'fiado.event.type'?: string;
  'fiado.endpoint.id'?: string;
  /** Number of the attempt, from 1. */
  'fiado.attempt'?: number;
  /** Time from the commit of an outbox row to its relay. */
  'fiado.outbox.waited_ms'?: number;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /**
   * A traceparent of another process; null, or one that is not well-formed, begins a trace. Without
   * this field the span is a child of the current one, and outside of any span there is none.
   */
  parent?: string | null;
  /** Beginning, in milliseconds of performance.now(); now without it. */
  startedMs?: number;
  attributes?: SpanAttributes;
}

/** A step of a trace that is under way. */
export interface Span {
  readonly traceId: string;
  /** Names this span as the parent of what another process does (W3C Trace Context). */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(errorType: string): void;
  end(): void;
  /** Runs work so that spans, log lines, calls and jobs below it belong to this span. */
  run<T>(work: () => T): T;
}

/** Makes the spans of a process. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span | undefined;
  /** The span that this work runs in. */
  current(): Pick<Span, 'traceId' | 'traceparent'> | undefined;
}

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

/** Runs a statement in a span that has its name: the text may quote values. */
export function inStatementSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql' as const, 'db.query.summary': name };
  return inSpan(name, { kind: 'client', attributes }, run);
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

/** The part of an error that a span may contain. */
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
