import { IsOptional, Matches } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { queryRow } from '@fiado/chassis/db/query';
import { callback, type Callback } from '@fiado/chassis/http/endpoint';
import { validInstance } from '@fiado/chassis/validation';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { countSms } from '../metrics';
import type { Message } from './messages.sql';
import { deliveryReportOf, failureClassOf, type DeliveryReport } from './outcome.rules';
import { passOnWord } from './pass-on-word';
import type { SignatureCheck } from './twilio';

const MESSAGE_SID = /^(SM|MM)[0-9a-fA-F]{32}$/;
const SID_PROBLEM = { message: 'MessageSid must be the SID of a message' };

/** What is read of the form that Twilio posts; it has some twenty fields more. */
class TwilioStatusForm {
  @Matches(MESSAGE_SID, SID_PROBLEM)
  MessageSid: string;

  @IsText(40)
  MessageStatus: string;

  @IsOptional()
  @Matches(/^\d{1,9}$/, { message: 'ErrorCode must be a number' })
  ErrorCode?: string;
}

/** Callbacks of providers; none if no provider has a callback address. */
export function callbacks(context: Context): Callback[] {
  const { isFromTwilio } = context;
  if (isFromTwilio === undefined) return [];
  // The first callback whose path matches handles a request.
  return [receiveSms(context, isFromTwilio), receiveTwilioCallback(context, isFromTwilio)];
}

/** POST /v1/callbacks/twilio/{messageId}: where a message is; signed, repeated and unordered. */
function receiveTwilioCallback(context: Context, isFromTwilio: SignatureCheck): Callback {
  return callback('/v1/callbacks/twilio/:messageId', async ({ form, url, header, id }) => {
    const genuine = await isFromTwilio(url, header('x-twilio-signature'), form);
    if (!genuine) throw new AppError('FORBIDDEN');

    const status = validInstance(TwilioStatusForm, form, 'ignore');
    await recordDeliveryStatus(context, {
      messageId: id('messageId', 'ROUTE_NOT_FOUND'),
      sid: status.MessageSid,
      messageStatus: status.MessageStatus,
      errorCode: status.ErrorCode,
    });
  });
}

interface RecordDeliveryStatus {
  messageId: string;
  /** The provider's id of the message. */
  sid: string;
  /** The provider's status of the message. */
  messageStatus: string;
  errorCode?: string | undefined;
}

/** Stores the outcome that the provider reports; outdated or unknown reports are logged. */
export async function recordDeliveryStatus(
  { db, log, keepsBodies, follower }: Context,
  { messageId, sid, messageStatus, errorCode }: RecordDeliveryStatus,
): Promise<void> {
  const report = deliveryReportOf(messageStatus, errorCode);
  if (report === undefined) {
    log.warn({ messageId, messageStatus }, 'status callback with an unknown status');
    return;
  }

  const moved = await moveForward(db, { messageId, sid, wipe: !keepsBodies }, report);
  if (moved !== undefined) {
    const { status, reason } = report;
    countSms({ ...moved, outcome: `reported-${status}`, reason });
    if (moved.channel === 'whatsapp' && status === 'failed') follower.wake();
    const failure = reason === null ? undefined : failureClassOf(reason);
    const level = failure === undefined ? 'info' : failure === 'account' ? 'error' : 'warn';
    log[level]({ messageId, status, reason, failure }, 'status callback for a message');
    return;
  }

  const text = 'SELECT provider_sid AS sid FROM messages WHERE id = $1';
  const message = await queryRow<{ sid: string | null }>(db, text, [messageId]);
  if (message === undefined) {
    log.warn({ messageId }, 'status callback for an unknown message');
  } else if (message.sid !== null && message.sid !== sid) {
    log.error(
      { messageId, sid },
      'provider has two ids for one message: it may have been sent twice',
    );
  }
}

/** Of a WhatsApp message: one that is delivered owes no SMS, and a failed one owes it now. Others keep their time. */
const SMS_AT = `
  CASE WHEN $3 = 'delivered' OR expires_at <= now() THEN NULL
       WHEN $3 = 'failed' AND sms_at IS NOT NULL THEN now()
       ELSE sms_at END`;

/**
 * Moves a message forward by a status report, never back: reports may be repeated, in any order,
 * and earlier than the answer to the call. An intermediate report proves that the message was sent,
 * whatever our status, so it is not sent again.
 * @param wipe whether the message forgets its phone and values
 * @returns undefined when the report changes nothing
 */
function moveForward(
  db: Db,
  { messageId, sid, wipe }: { messageId: string; sid: string; wipe: boolean },
  report: DeliveryReport,
): Promise<Pick<Message, 'template' | 'channel'> | undefined> {
  return queryRow<Pick<Message, 'template' | 'channel'>>(
    db,
    `WITH reported AS (
     UPDATE messages
        SET status = $3, status_reason = $4, provider_sid = $2, claimed_until = NULL,
            sent_at = CASE WHEN $3 = 'failed' THEN sent_at ELSE COALESCE(sent_at, now()) END,
            sms_at = ${SMS_AT},
            sealed = CASE WHEN $5 AND ${SMS_AT} IS NULL THEN NULL ELSE sealed END, updated_at = now()
      WHERE id = $1
        AND (status IN ('pending', 'sending', 'unknown', 'expired')
             OR (status = 'sent' AND $3 <> 'sent'))
        -- A callback with another provider id is about another message.
        AND (provider_sid IS NULL OR provider_sid = $2)
        AND NOT EXISTS (SELECT FROM messages other WHERE other.provider_sid = $2 AND other.id <> $1)
      RETURNING id, template, channel, attempts, attempted_at
     ), tried AS (
       -- The sender may be lost, or may not have stored the answer to its call yet.
       INSERT INTO message_attempts (message_id, number, started_at, outcome)
       SELECT id, attempts, coalesce(attempted_at, now()), 'unknown' FROM reported WHERE attempts > 0
       ON CONFLICT DO NOTHING
     )
     SELECT template, channel FROM reported`,
    [messageId, sid, report.status, report.reason, wipe],
  );
}

/** Ten parts of an SMS: the most that Twilio joins to one. */
const MAX_BODY = 1_600;

/** Before the number of a message that came by WhatsApp. */
const WHATSAPP = 'whatsapp:';

/** What is read of the form of a message that Twilio received. */
class InboundSmsForm {
  @Matches(/^(whatsapp:)?\+[1-9]\d{1,14}$/, { message: 'From must be a phone number in E.164' })
  From: string;

  @IsText(MAX_BODY)
  Body: string;

  @Matches(MESSAGE_SID, SID_PROBLEM)
  MessageSid: string;
}

/**
 * POST /v1/callbacks/twilio/inbound: an SMS or a WhatsApp message to the sender, signed by Twilio. Only a word is read from
 * its text.
 */
export function receiveSms(context: Context, isFromTwilio: SignatureCheck): Callback {
  return callback('/v1/callbacks/twilio/inbound', async ({ form, url, header }) => {
    const genuine = await isFromTwilio(url, header('x-twilio-signature'), form);
    if (!genuine) throw new AppError('FORBIDDEN');

    const asked = validInstance(InboundSmsForm, form, 'ignore');
    const { From: from, Body: text, MessageSid: smsId } = asked;
    const byWhatsapp = from.startsWith(WHATSAPP);
    const number = byWhatsapp ? from.slice(WHATSAPP.length) : from;
    const inbound = { number, text, smsId, byWhatsapp };
    await context.db.transaction((tx) => passOnWord(context, tx, inbound));
    if (byWhatsapp) context.follower.wake();
  });
}
