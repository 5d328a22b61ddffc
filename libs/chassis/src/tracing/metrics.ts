import { createCounter } from '../metrics';

/** Outcome of a span: only a sent one reached the collector. */
export type SpanOutcome = 'sent' | 'failed' | 'dropped';

const OUTCOMES: SpanOutcome[] = ['sent', 'failed', 'dropped'];

/** Counts ended spans by their outcome. */
export const countSpans = createCounter(
  'fiado_trace_spans_total',
  'Spans by outcome: sent, failed (the collector did not take them) or dropped (too many waited)',
  ['outcome'],
  OUTCOMES.map((outcome) => ({ outcome })),
);
