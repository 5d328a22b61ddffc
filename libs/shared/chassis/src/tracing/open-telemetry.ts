import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  createNoopMeter,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type AttributeValue,
  type Context,
  type Meter,
  type MeterProvider,
  type Span as ApiSpan,
  type SpanContext,
  type Tracer as ApiTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import {
  NodeTracerProvider,
  ParentBasedSampler,
  SamplingDecision,
  type Sampler,
} from '@opentelemetry/sdk-trace-node';
import { buildVersion } from '../build-version';
import type { Logger } from '../logger';
import type { Span, SpanAttributes, SpanOptions, Tracer } from './tracer';

/** Path of OTLP over HTTP, after the collector's address. */
const TRACES_PATH = 'v1/traces';
/** Ended spans that wait to be sent, some 2 MB. While it is full, further spans are dropped. */
const QUEUE_SPANS = 2_048;
/** Spans of one request to the collector. */
const BATCH_SPANS = 512;
/** How long an ended span waits for others. */
const SEND_EVERY_MS = 1_000;
/** A collector that has not answered by then has lost the batch. */
const EXPORT_TIMEOUT_MS = 5_000;
/** How long a process that ends waits for the collector. */
const CLOSE_MS = 2_000;
/** Pause between log lines about a collector that does not take spans. */
const WARN_EVERY_MS = 60_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Outcome of a span: only a sent one reached the collector. */
export type SpanOutcome = 'sent' | 'failed' | 'dropped';

export interface TracesOptions {
  service: string;
  /** Base URL of the collector. */
  endpoint: string;
  /** Headers of each request to it, such as its token. */
  headers?: Record<string, string>;
  /** Share of the traces that begin here which are kept, from 0 to 1. */
  ratio: number;
  /** Whether a caller's traceparent decides if its request is traced. */
  trustsCallers: boolean;
  /** Counts spans that were sent, failed or dropped. */
  countSpans: (labels: { outcome: SpanOutcome }, count: number) => void;
  log: Logger;
}

/**
 * Spans by OpenTelemetry's SDK, sent in the background to a collector (OTLP over HTTP, protobuf). No
 * request waits for that. Spans for a collector that is down are dropped.
 */
export function openTelemetry(options: TracesOptions): {
  tracer: Tracer;
  /** Sends what waits, for a moment only. Never rejects. */
  close: () => Promise<void>;
} {
  warnWhenLost(options.log);
  const { service, endpoint, headers = {} } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/${TRACES_PATH}`,
    headers,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'fiado',
      'service.name': service,
      'service.version': buildVersion(),
    }),
    sampler: samplerOf(options),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: QUEUE_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        selfObsMeterProvider: spanMeter(options.countSpans),
      }),
    ],
  });
  provider.register();
  return {
    tracer: tracerOf(provider.getTracer('fiado')),
    close: async () => {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(CLOSE_MS, undefined, { ref: false })]);
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}

/**
 * A trace that begins here is kept by chance, and what another process of ours began as that process
 * decided. A stranger chooses neither: not by the flag, and not by an id that a sampler by ids keeps.
 */
function samplerOf({ ratio, trustsCallers }: TracesOptions): Sampler {
  const byChance: Sampler = {
    shouldSample: () => ({
      decision:
        Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `ByChance{${ratio}}`,
  };
  const ofStrangers = { remoteParentSampled: byChance, remoteParentNotSampled: byChance };
  return new ParentBasedSampler({ root: byChance, ...(trustsCallers ? {} : ofStrangers) });
}

/** The processor of spans has one counter, of the spans that it is done with. */
function spanMeter(countSpans: TracesOptions['countSpans']): MeterProvider {
  // createNoopMeter() always returns the same one.
  const meter = Object.assign(Object.create(createNoopMeter()) as Meter, {
    createCounter: () => ({
      add: (count: number, attributes: Attributes = {}) =>
        countSpans({ outcome: outcomeOf(attributes['error.type']) }, count),
    }),
  });
  return { getMeter: () => meter };
}

function outcomeOf(errorType: AttributeValue | undefined): SpanOutcome {
  if (errorType === undefined) return 'sent';
  return errorType === 'queue_full' ? 'dropped' : 'failed';
}

/** The SDK reports a failed batch here; one line a minute is enough. */
function warnWhenLost(log: Logger): void {
  let warnedMs = -Infinity;
  const ignore = (): void => {};
  const error = (reason: string): void => {
    if (performance.now() - warnedMs < WARN_EVERY_MS) return;
    warnedMs = performance.now();
    log.warn({ reason }, 'the collector did not take spans');
  };
  diag.setLogger(
    { error, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}

function tracerOf(api: ApiTracer): Tracer {
  return {
    start: (name, { kind, parent, startedMs, attributes = {} }) => {
      const above = parent === undefined ? context.active() : contextOf(parent);
      if (parent === undefined && trace.getSpan(above) === undefined) return undefined;
      const startTime = startedMs === undefined ? {} : { startTime: startedMs };
      const span = api.startSpan(
        name,
        { kind: KINDS[kind], attributes: { ...attributes }, ...startTime },
        above,
      );
      return new OpenSpan(span, trace.setSpan(above, span));
    },
    current: () => {
      const span = trace.getActiveSpan();
      return span === undefined ? undefined : namesOf(span.spanContext());
    },
  };
}

/** Takes nothing but the traceparent: no tracestate, no baggage. */
function contextOf(traceparent: SpanOptions['parent']): Context {
  return traceparent == null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent });
}

function namesOf({ traceId, spanId, traceFlags }: SpanContext) {
  const flags = (traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  return { traceId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

class OpenSpan implements Span {
  readonly traceId: string;
  readonly traceparent: string;

  constructor(
    private readonly span: ApiSpan,
    private readonly below: Context,
  ) {
    const names = namesOf(span.spanContext());
    this.traceId = names.traceId;
    this.traceparent = names.traceparent;
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes({ ...attributes });
  }

  fail(errorType: string): void {
    this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.set({ 'error.type': errorType });
  }

  end(): void {
    this.span.end();
  }

  run<T>(work: () => T): T {
    return context.with(this.below, work);
  }
}
