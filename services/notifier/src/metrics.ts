import { createCounter, createGauge } from '@fiado/chassis/metrics';
import { MESSAGE_TEMPLATES, type MessageTemplate } from '@fiado/contracts/jobs/send-message';
import { failureClassOf, FAILURE_CLASSES } from './domain/failure-class';

/** Outcomes that have a failure's class, so that an alert knows them before the first one. */
const FAILED_OUTCOMES = ['failed', 'unknown', 'pending', 'reported-failed'];
const FINE_OUTCOMES = [
  'sent',
  'expired',
  'phone-cap',
  'phone-and-wholesaler-cap',
  'wholesaler-cap',
  'reported-delivered',
];

const countOutcome = createCounter(
  'fiado_sms_total',
  'Outcomes of SMS, by template: of attempts, budgets, expiry and status callbacks; ' +
    'with whose matter a failure is',
  ['template', 'outcome', 'error_class'],
  MESSAGE_TEMPLATES.flatMap((template) => [
    ...FINE_OUTCOMES.map((outcome) => ({ template, outcome, error_class: 'none' })),
    ...FAILED_OUTCOMES.flatMap((outcome) =>
      FAILURE_CLASSES.map((error_class) => ({ template, outcome, error_class })),
    ),
  ]),
);

export interface SmsOutcome {
  template: MessageTemplate;
  outcome: string;
  /** The message's status_reason, where it is the provider's or the network's. */
  reason?: string | null | undefined;
}

/**
 * Counts the outcome of a message: of an attempt, of a budget, of its expiry, or by the provider's
 * status callback.
 */
export function countSms({ template, outcome, reason }: SmsOutcome): void {
  const error_class = reason == null ? 'none' : failureClassOf(reason);
  countOutcome({ template, outcome, error_class });
}

/** Seconds for which the longest due message has not been tried; 0 when none is due. */
export const oldestDue = createGauge(
  'fiado_sms_oldest_due_seconds',
  'How long the oldest due SMS has waited, without SMS beyond a limit; 0 if none is due',
  [],
);

/** What a pending message waits for: its turn, the provider, its wholesaler's cap, a pause. */
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
