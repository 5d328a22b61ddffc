import { createCounter, createGauge } from '@fiado/shared/chassis/metrics';
import { MESSAGE_TEMPLATES, type MessageTemplate } from '@fiado/shared/contracts/jobs/send-message';
import { failureClassOf, FAILURE_CLASSES } from './domain/failure-class';

/** Outcomes that have a failure's class, so that an alert knows them before the first one. */
const FAILED_OUTCOMES = ['failed', 'unknown', 'pending', 'reported-failed'];
const FINE_OUTCOMES = ['sent', 'expired', 'phone-cap', 'wholesaler-cap', 'reported-delivered'];

const countOutcome = createCounter(
  'fiado_sms_total',
  'What came of SMS, by template: of each try, of a cap, of lapsed time, of the provider’s report; ' +
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

/** Counts what came of a message: of a try, of a cap, of its time, or by the provider's report. */
export function countSms({ template, outcome, reason }: SmsOutcome): void {
  const error_class = reason == null ? 'none' : failureClassOf(reason);
  countOutcome({ template, outcome, error_class });
}

/** Seconds for which the longest due message has not been sent; 0 when none is due. */
export const setOldestDue = createGauge(
  'fiado_sms_oldest_due_seconds',
  'How long the SMS that is due for longest has not been tried; 0 when none is due',
  [],
);
