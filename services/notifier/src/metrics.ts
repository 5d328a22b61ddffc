import { createCounter, createGauge } from '@fiado/chassis/metrics';
import {
  MESSAGE_TEMPLATES,
  type MessageTemplate,
  WHATSAPP_TEMPLATES,
} from '@fiado/contracts/message-catalogue';
import { FAILURE_CLASSES, failureClassOf } from './messages/outcome.rules';
import type { Word } from './messages/words.rules';
import { type Standing, STANDINGS } from './webhooks/delivery.rules';
import { WEBHOOK_ERRORS } from './webhooks/webhook-client';

/** Outcomes with a class of failure. They are exported as 0 from the start, so that an alert sees the first one. */
const FAILED_OUTCOMES = ['failed', 'unknown', 'pending', 'reported-failed'];

const FINE_OUTCOMES = [
  'sent',
  'expired',
  'phone-cap',
  'phone-and-wholesaler-cap',
  'wholesaler-cap',
  'reported-delivered',
];

/** The outcomes of templates, each with what it may be. */
const labelsOf = (templates: MessageTemplate[], fine: string[]) =>
  templates.flatMap((template) => [
    ...fine.map((outcome) => ({ template, outcome, error_class: 'none' })),
    ...FAILED_OUTCOMES.flatMap((outcome) =>
      FAILURE_CLASSES.map((error_class) => ({ template, outcome, error_class })),
    ),
  ]);

const countMessage = createCounter(
  'fiado_sms_total',
  'Outcomes of SMS, by template: of attempts, budgets, expiry and status callbacks; ' +
    'with whose matter a failure is',
  ['template', 'outcome', 'error_class'],
  labelsOf(MESSAGE_TEMPLATES, FINE_OUTCOMES),
);

const countWhatsapp = createCounter(
  'fiado_whatsapp_total',
  'The same of WhatsApp messages, and of those that an SMS followed whether they had failed or were late',
  ['template', 'outcome', 'error_class'],
  labelsOf(WHATSAPP_TEMPLATES, ['sent', 'reported-delivered', 'followed-failed', 'followed-late']),
);

export interface SmsOutcome {
  template: MessageTemplate;
  /** Null or absent: an SMS. */
  channel?: 'whatsapp' | null;
  outcome: string;
  /** The message's status_reason, where it is the provider's or the network's. */
  reason?: string | null | undefined;
}

/**
 * Counts the outcome of a message: of an attempt, of a budget, of its expiry, or by the provider's
 * status callback.
 */
export function countSms({ template, channel, outcome, reason }: SmsOutcome): void {
  const error_class = reason == null ? 'none' : failureClassOf(reason);
  const count = channel === 'whatsapp' ? countWhatsapp : countMessage;
  count({ template, outcome, error_class });
}

/** Seconds for which the longest due message has not been tried; 0 when none is due. */
export const oldestDue = createGauge(
  'fiado_sms_oldest_due_seconds',
  'How long the oldest due SMS has waited, without SMS beyond a limit; 0 if none is due',
  [],
);

/** The reasons for which a message is pending: its turn, the provider, its wholesaler’s cap, a pause. */
export const WAITING_REASONS = ['due', 'provider-away', 'wholesaler-cap', 'retry'] as const;

export const waitingMessages = createGauge(
  'fiado_sms_waiting',
  'SMS that are pending, by what they wait for: their turn (due), the provider, their wholesaler’s ' +
    'cap, or the pause after a try (retry)',
  ['reason'],
);

export const oldestPending = createGauge(
  'fiado_sms_oldest_pending_seconds',
  'Age of the oldest pending SMS, whatever it waits for; 0 if none is pending',
  [],
);

/** Classes of answers; a URL or an owner is never a label. */
const ANSWERS = ['2xx', '3xx', '4xx', '410', '5xx'];
const OUTCOMES = [...ANSWERS, ...WEBHOOK_ERRORS];

const countWebhook = createCounter(
  'fiado_webhook_attempts_total',
  'Attempts at webhooks, by the standing of the endpoint and the outcome: class of the answer, or error',
  ['lane', 'outcome'],
  STANDINGS.flatMap((lane) => OUTCOMES.map((outcome) => ({ lane, outcome }))),
);

/** Counts an attempt by its answer or its error. */
export function countAttempt({
  standing,
  status,
  error,
}: {
  standing: Standing;
  status: number | undefined;
  error: string | null;
}): void {
  countWebhook({ lane: standing, outcome: webhookOutcomeOf(status, error) });
}

function webhookOutcomeOf(status: number | undefined, error: string | null): string {
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

type InboundWord = Word | 'deny' | 'other';

const INBOUND_WORDS: InboundWord[] = ['stop', 'start', 'deny', 'other'];

const countInbound = createCounter(
  'fiado_sms_received_total',
  'SMS that stores sent, by what they ask: no reminders, reminders again, an order that is not theirs, or something else',
  ['word'],
  INBOUND_WORDS.map((word) => ({ word })),
);

export function countInboundSms(word: InboundWord): void {
  countInbound({ word });
}
