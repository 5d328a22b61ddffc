import type { Job, JobsOptions } from 'bullmq';

/** The option in which BullMQ keeps the trace of a job, on both backends. */
export function telemetryOf(
  traceparent: string | null | undefined,
): Pick<JobsOptions, 'telemetry'> {
  if (traceparent == null) return {};
  return { telemetry: { metadata: JSON.stringify({ traceparent }) } };
}

/** The traceparent of a job; null without one. Not signed: it decides nothing but the trace. */
export function traceparentOf({ opts }: Pick<Job, 'opts'>): string | null {
  try {
    const { traceparent } = JSON.parse(opts.telemetry?.metadata ?? '{}') as {
      traceparent?: unknown;
    };
    return typeof traceparent === 'string' ? traceparent : null;
  } catch {
    return null;
  }
}
