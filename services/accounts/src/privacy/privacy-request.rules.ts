import { endOfBusinessDays } from '@fiado/contracts/contact-hours';
import {
  EXTENSION_REASONS,
  type PrivacyAnswer,
  type PrivacyReason,
  type PrivacyRequestKind,
  type PrivacyRequestStatus,
  REFUSAL_REASONS,
} from '@fiado/contracts/privacy';

/** Terms in business days, of the calendar of a time zone. */
export interface Terms {
  days: number;
  timeZone: string;
}

/**
 * When a request must be answered, or a granted one executed: the end of the last day. An extension
 * adds as many days again, counted from the same receipt or answer.
 */
export function dueAt(from: Date, isExtended: boolean, { days, timeZone }: Terms): Date {
  return endOfBusinessDays(from, isExtended ? 2 * days : days, timeZone);
}

/** Where a request is. */
interface RequestState {
  kind: PrivacyRequestKind;
  status: PrivacyRequestStatus;
  answerDueAt: Date;
  answerExtended: boolean;
  executionDueAt: Date | null;
  executionExtended: boolean;
}

/**
 * What an answer does to a request: it settles an open one, or extends the time of the answer, or of the
 * execution. A time is extended once, and not after it is over. A granted access may still be refused while
 * its copy is not made: one that cannot be made would keep the request open for ever.
 * @returns undefined: the request takes no such answer
 */
export function effectOf(
  { kind, status, answerDueAt, answerExtended, executionDueAt, executionExtended }: RequestState,
  answer: PrivacyAnswer,
  now: Date,
): 'settles' | 'extends-answer' | 'extends-execution' | undefined {
  if (answer !== 'extended') {
    const isUnmadeCopy = kind === 'access' && status === 'executing' && answer === 'refused';
    return status === 'open' || isUnmadeCopy ? 'settles' : undefined;
  }
  if (status === 'open' && !answerExtended && now <= answerDueAt) return 'extends-answer';
  const isInTime = executionDueAt !== null && now <= executionDueAt;
  if (status === 'executing' && !executionExtended && isInTime) return 'extends-execution';
  return undefined;
}

/** Reasons of an answer. An answer that grants the request needs none. */
export function reasonsOf(answer: PrivacyAnswer): readonly PrivacyReason[] {
  if (answer === 'refused') return REFUSAL_REASONS;
  return answer === 'extended' ? EXTENSION_REASONS : [];
}
