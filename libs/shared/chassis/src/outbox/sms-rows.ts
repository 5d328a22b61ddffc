import {
  PHONE_PURPOSE,
  type SealedSms,
  sendMessage,
  SMS_PURPOSE,
} from '@fiado/contracts/jobs/send-message';
import {
  MESSAGES,
  type MessageTemplate,
  type MessageValues,
} from '@fiado/contracts/message-catalogue';
import { liveMessagesCall } from '@fiado/contracts/live-messages';
import { maskPhone } from '@fiado/contracts/phone';
import type { Database } from '../db/database';
import { query } from '../db/query';
import { internalEndpoint } from '../http/endpoint';
import type { Sealer } from '../keys/sealing';
import { type OutboxRow, outboxRows } from './append';

/**
 * The notifier calls it before it sends messages again.
 * @param isLive SQL condition on `template`, `"subjectId"` and `"verificationId"` of a message
 */
export const findLiveMessagesEndpoint = (isLive: string) =>
  internalEndpoint({
    call: liveMessagesCall,
    allow: ['service:notifier'],
    handle: async ({ db }: { db: Database }, { messages }) => {
      const live = await query<{ messageId: string }>(
        db,
        `SELECT "messageId"
           FROM json_to_recordset($1::json)
             AS message ("messageId" uuid, template text, "subjectId" uuid, "verificationId" uuid)
          WHERE ${isLive}`,
        [JSON.stringify(messages)],
      );
      return { messageIds: live.map(({ messageId }) => messageId) };
    },
  });

export interface Sms<Template extends MessageTemplate> {
  template: Template;
  /** E.164. */
  phone: string;
  /** The wholesaler that set the phone, while no code has proved it; null for a known phone. */
  unprovenBy: string | null;
  values: MessageValues[Template];
  /** Whether the owner of the phone agreed to WhatsApp. */
  byWhatsapp?: boolean;
  wholesalerId?: string;
  subjectId: string;
  /** The verification whose code it contains. */
  verificationId?: string;
  expiresAt: Date;
}

/** The outbox row of one SMS. Its id is the intent: it is sent at most once. */
export function smsRows<Template extends MessageTemplate>(
  sealer: Sealer,
  {
    template,
    phone,
    unprovenBy,
    values,
    byWhatsapp,
    wholesalerId,
    subjectId,
    verificationId,
    expiresAt,
  }: Sms<Template>,
): OutboxRow[] {
  const secret: SealedSms = { phone, values };
  return outboxRows(
    sendMessage,
    { id: subjectId, version: 1 },
    {
      template,
      sealed: sealer.seal(JSON.stringify(secret), SMS_PURPOSE, subjectId).toString('base64'),
      phoneIndex: sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64'),
      phoneMasked: maskPhone(phone),
      ...(wholesalerId === undefined ? {} : { wholesalerId }),
      ...(unprovenBy === null || MESSAGES[template].isCountedBefore ? {} : { unprovenBy }),
      ...(byWhatsapp === true ? { byWhatsapp } : {}),
      subjectId,
      ...(verificationId === undefined ? {} : { verificationId }),
      expiresAt: expiresAt.toISOString(),
    },
  );
}
