import { createCounter, createGauge } from '@fiado/chassis/metrics';
import { WEBHOOK_ERRORS } from './clients/webhooks/webhook-error';
import { LANES, type Lane } from './domain/lane';

/** Classes of answers; a URL or an owner is never a label. */
const ANSWERS = ['2xx', '3xx', '4xx', '410', '5xx'];
const OUTCOMES = [...ANSWERS, ...WEBHOOK_ERRORS];

const countOutcome = createCounter(
  'fiado_webhook_attempts_total',
  'Attempts at webhooks, by the lane of the endpoint and the outcome: class of the answer, or error',
  ['lane', 'outcome'],
  LANES.flatMap((lane) => OUTCOMES.map((outcome) => ({ lane, outcome }))),
);

/** Counts an attempt by its answer or its error. */
export function countAttempt({
  lane,
  status,
  error,
}: {
  lane: Lane;
  status: number | undefined;
  error: string | null;
}): void {
  countOutcome({ lane, outcome: outcomeOf(status, error) });
}

function outcomeOf(status: number | undefined, error: string | null): string {
  if (status === undefined) return error ?? 'NOT_REACHED';
  return status === 410 ? '410' : `${Math.floor(status / 100)}xx`;
}

export const countDisabled = createCounter(
  'fiado_webhook_endpoints_disabled_total',
  'Webhook endpoints that were disabled, by reason',
  ['reason'],
  [{ reason: 'failing' }, { reason: 'gone' }, { reason: 'asked' }],
);

export const webhookEndpoints = createGauge(
  'fiado_webhook_endpoints',
  'Webhook endpoints by state',
  ['state'],
);

export const webhooksPending = createGauge(
  'fiado_webhook_deliveries_pending',
  'Deliveries of events that wait for their next attempt',
  [],
);

export const oldestDueWebhook = createGauge(
  'fiado_webhook_oldest_due_seconds',
  'How long the oldest due delivery to a good endpoint has waited; 0 if none is due',
  [],
);
