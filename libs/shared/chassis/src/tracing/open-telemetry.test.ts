import { startOtlpSink, type OtlpSink } from '../testing/otlp-sink';
import { until } from '../testing/until';
import { createLogger } from '../logger';
import { openTelemetry, type SpanOutcome, type TracesOptions } from './open-telemetry';
import { currentTraceparent, inSpan, installTracer, startSpan } from './tracer';

const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = SAMPLED.replace(/01$/, '00');
const MALFORMED = '00-0af7651916cd43dd8448eb211c80319c';

/** As in open-telemetry.ts. */
const QUEUE_SPANS = 2_048;
const BATCH_SPANS = 512;

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});

/** Spans by their outcome. */
let counted: Record<SpanOutcome, number>;
beforeEach(() => {
  counted = { sent: 0, failed: 0, dropped: 0 };
});

let close: (() => Promise<void>) | undefined;
function trace(options: Partial<TracesOptions> = {}): void {
  const log = createLogger('test', 'silent');
  const traces = openTelemetry({
    service: 'test',
    endpoint: sink.url,
    ratio: 1,
    trustsCallers: true,
    countSpans: ({ outcome }, count) => {
      counted[outcome] += count;
    },
    log,
    ...options,
  });
  installTracer(traces.tracer);
  close = traces.close;
}
afterEach(async () => {
  installTracer(undefined);
  await close?.();
  close = undefined;
  await sink.stop();
});

const traceparentBelow = (parent: string | null): string =>
  startSpan('request', { kind: 'server', parent })?.traceparent ?? '';

it('a caller of our own decides whether its request is traced', () => {
  trace({ ratio: 0 });
  expect(traceparentBelow(SAMPLED)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[^-]*-01$/);
  expect(traceparentBelow(UNSAMPLED)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[^-]*-00$/);
});

it('a stranger chooses the id of the trace, and not whether it is traced', async () => {
  trace({ ratio: 0, trustsCallers: false });
  expect(traceparentBelow(SAMPLED)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[^-]*-00$/);
  await close?.();
  trace({ ratio: 1, trustsCallers: false });
  expect(traceparentBelow(UNSAMPLED)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[^-]*-01$/);
});

it('a traceparent that is not well-formed begins a new trace', () => {
  trace();
  for (const parent of [MALFORMED, `${SAMPLED}${'0'.repeat(100_000)}`, 'ñ', '', null]) {
    const traceparent = traceparentBelow(parent);
    expect(traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(traceparent).not.toContain('0af7651916cd43dd8448eb211c80319c');
  }
});

it('work outside of a request has no span, but for those that begin a trace', async () => {
  trace();
  const inner = (): Promise<string | undefined> =>
    inSpan('statement', { kind: 'client' }, async () => currentTraceparent());
  expect(await inner()).toBeUndefined();
  const outer = { kind: 'consumer' as const, parent: SAMPLED };
  expect(await inSpan('job', outer, inner)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
});

it('a collector that does not answer holds nothing up, and a bounded number of spans waits', async () => {
  trace();
  sink.hold();
  const ended = 3 * QUEUE_SPANS;
  for (let n = 0; n < ended; n += 1) {
    startSpan('request', { kind: 'server', parent: null })?.end();
    // The first batch is on its way before the queue is full.
    if (n === BATCH_SPANS) await until('a batch waits for its answer', () => sink.unanswered > 0);
  }
  expect(sink.spans).toHaveLength(BATCH_SPANS);

  sink.release();
  await close?.();
  const sent = BATCH_SPANS + QUEUE_SPANS;
  expect(sink.spans).toHaveLength(sent);
  expect(counted).toEqual({ sent, failed: 0, dropped: ended - sent });
});

it('a collector gets the headers of the configuration, which no log line has', async () => {
  const lines: object[] = [];
  const log = createLogger('test', 'silent');
  log.warn = (fields: object) => void lines.push(fields);
  trace({ headers: { authorization: 'Bearer a-token' }, log });
  sink.status = 401;
  startSpan('request', { kind: 'server', parent: null })?.end();
  await until('the batch is refused', () => lines.length > 0);

  expect(sink.headers.authorization).toBe('Bearer a-token');
  expect(counted).toEqual({ sent: 0, failed: 1, dropped: 0 });
  expect(JSON.stringify(lines)).not.toContain('a-token');
});

it('a collector that is down is logged once a minute', async () => {
  const warnings: string[] = [];
  const log = createLogger('test', 'silent');
  log.warn = (_fields: unknown, text?: string) => void warnings.push(text ?? '');
  trace({ log });
  await sink.stop();
  const lost = () => warnings.length > 0;
  startSpan('request', { kind: 'server', parent: null })?.end();
  await until('the first batch is lost', lost);
  startSpan('request', { kind: 'server', parent: null })?.end();
  await close?.();
  expect(warnings).toEqual(['the collector did not take spans']);
});

it('a process ends while its collector does not answer', async () => {
  trace();
  sink.hold();
  startSpan('request', { kind: 'server', parent: null })?.end();
  await close?.();
  expect(sink.unanswered).toBe(1);
});
