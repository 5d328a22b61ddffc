import type { Db } from '@fiado/chassis/db/database';
import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { oneByOne, query, queryNamed } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import type { Page } from '@fiado/contracts/page';
import { SMS_STATUSES } from '@fiado/contracts/sms';
import type { ClaimedMessage } from './claim-messages.sql';
import { lateAt, type Outcome, type SmsFailure } from './outcome.rules';

/** The public statuses, and `sending`: claimed, and perhaps already sent. */
export const MESSAGE_STATUSES = [...SMS_STATUSES, 'sending'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** What a message goes by, as callers see it. */
export const CHANNELS = ['sms', 'whatsapp'] as const;

/** Why a message to a blocked person was not sent. */
export const BLOCKED = 'BLOCKED';

/** One message to one phone, which is sent at most once. An SMS that follows a WhatsApp message is a row of its own. */
export interface Message {
  /** Id of the job that asked for it. */
  id: string;
  template: MessageTemplate;
  /** Null: an SMS. */
  channel: 'whatsapp' | null;
  /** The WhatsApp message that an SMS follows. */
  follows: string | null;
  wholesalerId: string | null;
  subjectId: string;
  /** The verification whose code it contains. */
  verificationId: string | null;
  /** The outside request that caused it. Log lines of all attempts contain this id. */
  requestId: string | null;
  phoneIndex: Buffer;
  phoneMasked: string;
  /** Phone and values; null once the message is final in production. */
  sealed: Buffer | null;
  status: MessageStatus;
  /** The reason of the status: the provider's code, or one of ours. */
  statusReason: string | null;
  attempts: number;
  expiresAt: Date;
  sentAt: Date | null;
  createdAt: Date;
}

interface MessageFilter {
  phoneIndex?: Buffer | undefined;
  status?: MessageStatus | undefined;
  template?: MessageTemplate | undefined;
  wholesalerId?: string | undefined;
  verificationId?: string | undefined;
  subjectId?: string | undefined;
}

/** A page of messages, newest first. */
export function pageOfMessages(
  db: Db,
  { phoneIndex, status, template, wholesalerId, verificationId, subjectId }: MessageFilter,
  asked: AskedPage,
): Promise<Page<Message>> {
  return pageOfRows<Message>(db, asked, {
    select: 'SELECT * FROM messages',
    from: 'messages',
    of: { wholesaler_id: wholesalerId },
    where: {
      'phone_index = $': phoneIndex,
      'status = $': status,
      'verification_id = $': verificationId,
      'subject_id = $': subjectId,
      'template = $': template,
    },
    by: 'created_at',
  });
}

export const ATTEMPT_OUTCOMES = ['sent', 'pending', 'failed', 'unknown'] as const;

/** A call to the SMS provider for a message. */
export interface MessageAttempt {
  messageId: string;
  number: number;
  startedAt: Date;
  finishedAt: Date;
  outcome: (typeof ATTEMPT_OUTCOMES)[number];
  /** Null without an answer. */
  httpStatus: number | null;
  providerCode: string | null;
}

/** The attempts at messages of one page, each message's in their order. */
export function findAttempts(db: Db, messageIds: string[]): Promise<MessageAttempt[]> {
  return query<MessageAttempt>(
    db,
    `SELECT message_id, number, started_at, finished_at, outcome, http_status, provider_code
       FROM message_attempts WHERE message_id = ANY($1) ORDER BY message_id, number`,
    [messageIds],
  );
}

/** The outcome of one attempt. */
export interface FinishedAttempt {
  claimed: Pick<ClaimedMessage, 'id' | 'attempt' | 'startedAt'>;
  outcome: Outcome;
  failure?: SmsFailure;
}

/**
 * Stores the outcomes of attempts in the rows of attempts and messages, in one statement. Safe to
 * repeat after a lost answer.
 * @param wipe whether phone and values are deleted from a final message
 */
export async function storeAttempts(
  db: Db,
  attempts: FinishedAttempt[],
  wipe: boolean,
): Promise<void> {
  await queryNamed(db, 'store-attempts', STORE, [JSON.stringify(attempts.map(recordOf)), wipe]);
}

function recordOf({ claimed, outcome, failure }: FinishedAttempt): object {
  const { id, attempt, startedAt } = claimed;
  return {
    id,
    attempt,
    started_at: startedAt,
    outcome: outcome.status,
    reason: 'reason' in outcome ? outcome.reason : null,
    sid: outcome.status === 'sent' ? outcome.sid : null,
    retry_seconds: outcome.status === 'pending' ? outcome.retryInMs / 1_000 : 0,
    ...('isUnreported' in outcome ? { is_unreported: true } : {}),
    ...(failure?.kind === 'answered'
      ? { http_status: failure.httpStatus, provider_code: failure.providerCode }
      : {}),
  };
}

// A block wipes a message while its call is under way; the message cannot be tried again.
const IS_BLOCKED = `outcome = 'pending' AND sealed IS NULL`;

/**
 * Of a WhatsApp message: a failed one is followed at once. The time until it is late is counted from its call, or from
 * the message while Twilio has taken none.
 */
const SMS_AT = `
  CASE WHEN sms_at IS NULL OR sealed IS NULL OR expires_at <= now() THEN NULL
       WHEN outcome = 'failed' THEN now()
       WHEN outcome = 'pending' THEN ${lateAt('created_at')}
       WHEN is_unreported IS NOT TRUE THEN sms_at
  END`;

const STORE = `
  WITH finished AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS attempt
      (id uuid, attempt integer, started_at timestamptz, outcome text, reason text, sid text,
       retry_seconds float8, is_unreported boolean, http_status integer, provider_code text)
     -- Without it, the statement read an index as a whole: 59 ms at 10,000 messages.
     WHERE ${oneByOne('attempt.id')}
  ), stored AS (
    INSERT INTO message_attempts
      (message_id, number, started_at, outcome, http_status, provider_code)
    SELECT id, attempt, started_at, outcome, http_status, provider_code FROM finished
    -- The attempt has a row if its sender seemed lost, or if the provider reported it before it answered.
    ON CONFLICT (message_id, number) DO UPDATE
      SET outcome = excluded.outcome, http_status = excluded.http_status,
          provider_code = excluded.provider_code, finished_at = excluded.finished_at
      WHERE message_attempts.outcome = 'unknown'
  )
  UPDATE messages
     SET status = CASE WHEN ${IS_BLOCKED} THEN 'expired' ELSE outcome END,
         status_reason = CASE WHEN ${IS_BLOCKED} THEN '${BLOCKED}' ELSE reason END,
         provider_sid = sid, claimed_until = NULL,
         sent_at = CASE WHEN outcome = 'sent' THEN now() END,
         next_attempt_at = now() + make_interval(secs => retry_seconds),
         sms_at = ${SMS_AT},
         -- A message that may be sent again, or followed, keeps its phone; an unknown one until it expires.
         sealed = CASE WHEN $2 AND outcome NOT IN ('pending', 'unknown') AND ${SMS_AT} IS NULL
                       THEN NULL ELSE sealed END,
         updated_at = now()
    FROM finished
   WHERE messages.id = finished.id AND attempts = finished.attempt
     -- An answer after the end of the claim still settles an unknown message. It never makes one pending again.
     AND (status = 'sending' OR (status = 'unknown' AND outcome IN ('sent', 'failed')))`;
