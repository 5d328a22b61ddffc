import type { Job, JobsOptions } from 'bullmq';
import type { Envelope, QueueName } from '@fiado/contracts/define-job';
import { inSpan } from '../tracing/tracer';

/** The option in which BullMQ keeps the trace of a job, on both backends. */
export function telemetryOf(
  traceparent: string | null | undefined,
): Pick<JobsOptions, 'telemetry'> {
  if (traceparent == null) return {};
  return { telemetry: { metadata: JSON.stringify({ traceparent }) } };
}

/** Works on a job in a span of the trace that wrote it. */
export function inJobSpan(
  queue: QueueName,
  job: Pick<Job, 'opts' | 'attemptsMade'>,
  { id, type }: Envelope,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = {
    'messaging.destination.name': queue,
    'messaging.message.id': id,
    'fiado.attempt': job.attemptsMade + 1,
  };
  const parent = traceparentOf(job);
  return inSpan(`process ${type}`, { kind: 'consumer', parent, attributes }, work);
}

/** Null without one. It is not signed: it decides nothing but the trace. */
function traceparentOf({ opts }: Pick<Job, 'opts'>): string | null {
  try {
    const { traceparent } = JSON.parse(opts.telemetry?.metadata ?? '{}') as {
      traceparent?: unknown;
    };
    return typeof traceparent === 'string' ? traceparent : null;
  } catch {
    return null;
  }
}
