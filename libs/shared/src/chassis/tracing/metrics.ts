import { createCounter } from '../metrics';

/** What became of a span: only a sent one reached the collector. */
export type SpanOutcome = 'sent' | 'failed' | 'dropped';

const OUTCOMES: SpanOutcome[] = ['sent', 'failed', 'dropped'];

/** Counts spans that ended in this process and that the process no longer holds. */
export const countSpans = createCounter(
  'fiado_trace_spans_total',
  'Spans by outcome: sent, failed (the collector did not take them) or dropped (too many waited)',
  ['outcome'],
  OUTCOMES.map((outcome) => ({ outcome })),
);
