import type { Logger } from '../logger';
import type { ProcessConfig } from '../service-config';
import { collectorHeadersOf } from '../setting-rules';
import { createCounter } from '../metrics';
import type { SpanOutcome } from './open-telemetry';
import { installTracer } from './tracer';

const OUTCOMES: SpanOutcome[] = ['sent', 'failed', 'dropped'];

const countSpans = createCounter(
  'fiado_trace_spans_total',
  'Spans by outcome: sent, failed (the collector did not take them) or dropped (too many waited)',
  ['outcome'],
  OUTCOMES.map((outcome) => ({ outcome })),
);

interface Running {
  close(): Promise<void>;
}

/**
 * Starts a process, with traces where OTEL_EXPORTER_OTLP_ENDPOINT is set. Otherwise nothing of the
 * SDK is loaded. The last spans are sent when the process is closed.
 */
export async function startTraced(
  service: string,
  config: ProcessConfig,
  log: Logger,
  start: () => Promise<Running>,
): Promise<Running> {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  } = config;
  if (endpoint === undefined) return start();
  const { openTelemetry } = await import('./open-telemetry.js');
  const traces = openTelemetry({
    service,
    endpoint,
    ...(headers !== undefined && { headers: collectorHeadersOf(headers) }),
    ratio: Number(ratio),
    // Its callers are tenants and strangers; those of the other processes are our own.
    trustsCallers: service !== 'gateway',
    countSpans,
    log,
  });
  installTracer(traces.tracer);
  const running = await start();
  return {
    close: async () => {
      await running.close();
      await traces.close();
      installTracer(undefined);
    },
  };
}
