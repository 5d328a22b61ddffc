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

/** Stores the outcome that the provider reports; outdated or unknown reports are logged. */
export async function recordDeliveryStatus(
  { db, log, keepsBodies }: Context,
  { messageId, sid, messageStatus, errorCode }: RecordDeliveryStatus,
): Promise<void> {
  const report = deliveryReportOf(messageStatus, errorCode);
  if (report === undefined) {
    log.warn({ messageId, messageStatus }, 'status callback with an unknown status');
    return;
  }

  const moved = await moveForward(db, { messageId, sid, report, wipe: !keepsBodies });
  if (moved !== undefined) {
    const { status, reason } = report;
    countSms({ template: moved.template, outcome: `reported-${status}`, reason });
    const failure = reason === null ? undefined : failureClassOf(reason);
    const level = failure === undefined ? 'info' : failure === 'account' ? 'error' : 'warn';
    log[level]({ messageId, status, reason, failure }, 'status callback for a message');
    return;
  }

  const message = await findSid(db, messageId);
  if (message === undefined) {
    log.warn({ messageId }, 'status callback for an unknown message');
  } else if (message.sid !== null && message.sid !== sid) {
    log.error(
      { messageId, sid },
      'provider has two ids for one message: it may have been sent twice',
    );
  }
}
