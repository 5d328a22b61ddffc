import {
  PHONE_PURPOSE,
  sendMessage,
  SMS_PURPOSE,
  type MessageTemplate,
  type MessageValues,
  type SealedSms,
} from '@fiado/contracts/jobs/send-message';
import { maskPhone } from '@fiado/contracts/phone';
import type { Sealer } from '../sealing';
import { outboxRows, type OutboxRow } from './append';

export interface Sms<Template extends MessageTemplate> {
  template: Template;
  /** E.164. */
  phone: string;
  values: MessageValues[Template];
  wholesalerId?: string;
  subjectId: string;
  /** Whose code it carries. */
  verificationId?: string;
  expiresAt: Date;
}

/** The outbox row of one SMS. Its id is the intent: it is sent at most once. */
export function smsRows<Template extends MessageTemplate>(
  sealer: Sealer,
  { template, phone, values, wholesalerId, subjectId, verificationId, expiresAt }: Sms<Template>,
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
      subjectId,
      ...(verificationId === undefined ? {} : { verificationId }),
      expiresAt: expiresAt.toISOString(),
    },
  );
}
