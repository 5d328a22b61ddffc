import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';
import type { DeliveryReport } from '../domain/delivery-report';

export interface ReportedMessage {
  messageId: string;
  sid: string;
  report: DeliveryReport;
  /** Whether the message forgets its phone and values. */
  wipe: boolean;
}

/**
 * Moves a message forward by a status report, never back: reports may be repeated, in any order,
 * and earlier than the answer to the call. An intermediate report proves that the message was sent,
 * whatever our status, so it is not sent again.
 * @returns undefined when the report changes nothing
 */
export function recordDeliveryStatus(
  db: Db,
  { messageId, sid, report, wipe }: ReportedMessage,
): Promise<{ template: MessageTemplate } | undefined> {
  return queryRow<{ template: MessageTemplate }>(
    db,
    `WITH reported AS (
     UPDATE messages
        SET status = $3, status_reason = $4, provider_sid = $2, claimed_until = NULL,
            sent_at = CASE WHEN $3 = 'failed' THEN sent_at ELSE COALESCE(sent_at, now()) END,
            sealed = CASE WHEN $5 THEN NULL ELSE sealed END, updated_at = now()
      WHERE id = $1
        AND (status IN ('pending', 'sending', 'unknown', 'expired')
             OR (status = 'sent' AND $3 <> 'sent'))
        -- A callback with another provider id is about another message.
        AND (provider_sid IS NULL OR provider_sid = $2)
        AND NOT EXISTS (SELECT FROM messages other WHERE other.provider_sid = $2 AND other.id <> $1)
      RETURNING id, template, attempts, attempted_at
     ), tried AS (
       -- The sender may be lost, or may not have stored the answer to its call yet.
       INSERT INTO message_attempts (message_id, number, started_at, outcome)
       SELECT id, attempts, coalesce(attempted_at, now()), 'unknown' FROM reported WHERE attempts > 0
       ON CONFLICT DO NOTHING
     )
     SELECT template FROM reported`,
    [messageId, sid, report.status, report.reason, wipe],
  );
}

/** The provider's id that a message has. @returns undefined when there is no such message */
export function findSid(db: Db, messageId: string): Promise<{ sid: string | null } | undefined> {
  return queryRow<{ sid: string | null }>(
    db,
    'SELECT provider_sid AS sid FROM messages WHERE id = $1',
    [messageId],
  );
}
