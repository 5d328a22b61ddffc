import type { Context } from '../context';
import { findSid, recordDeliveryStatus as moveForward } from '../db/record-delivery-status';
import { deliveryReportOf } from '../domain/delivery-report';
import { failureClassOf } from '../domain/failure-class';
import { countSms } from '../metrics';

export interface RecordDeliveryStatus {
  messageId: string;
  /** The provider's id of the message. */
  sid: string;
  /** The provider's own word for where the message is. */
  messageStatus: string;
  errorCode?: string | undefined;
}

/** Writes down what the provider says became of a message; what is old or of no message is noted. */
export async function recordDeliveryStatus(
  { db, log, keepsBodies }: Context,
  { messageId, sid, messageStatus, errorCode }: RecordDeliveryStatus,
): Promise<void> {
  const report = deliveryReportOf(messageStatus, errorCode);
  if (report === undefined) {
    log.warn({ messageId }, 'the provider reports a status that is not known');
    return;
  }

  const moved = await moveForward(db, { messageId, sid, report, wipe: !keepsBodies });
  if (moved !== undefined) {
    const { status, reason } = report;
    countSms({ template: moved.template, outcome: `reported-${status}`, reason });
    const failure = reason === null ? undefined : failureClassOf(reason);
    const level = failure === undefined ? 'info' : failure === 'account' ? 'error' : 'warn';
    log[level]({ messageId, status, reason, failure }, 'the provider reported on a message');
    return;
  }

  const message = await findSid(db, messageId);
  if (message === undefined) {
    log.warn({ messageId }, 'the provider reports on a message that is not here');
  } else if (message.sid !== null && message.sid !== sid) {
    log.error({ messageId, sid }, 'the provider knows one message by two ids: was it sent twice?');
  }
}
