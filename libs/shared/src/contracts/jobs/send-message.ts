import { IsBase64, IsDateString, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import { outboxRows, type OutboxRow } from '../../chassis/outbox/append';
import { defineJob } from '../../chassis/jobs/define-job';
import type { Sealer } from '../../chassis/sealing';
import { maskPhone } from '../../phone';

/** The closed list of messages and the values that each carries. */
export interface MessageValues {
  'verification-code': { code: string };
  'order-code': { code: string; amountCents: number; wholesaler: string };
  'delivery-word': { word: string; wholesaler: string };
  'delivered-amount': { amountCents: number; wholesaler: string };
  'phone-changed': { phoneMasked: string };
}
export type MessageTemplate = keyof MessageValues;

export const MESSAGE_TEMPLATES: MessageTemplate[] = [
  'verification-code',
  'order-code',
  'delivery-word',
  'delivered-amount',
  'phone-changed',
];

/** Purposes under which a message's parts are sealed and indexed. */
export const SMS_PURPOSE = 'sms';
export const PHONE_PURPOSE = 'phone';

/** A send-message job: ids in the clear, phone and values in one sealed envelope. */
export class SendMessage {
  @IsIn(MESSAGE_TEMPLATES)
  template: MessageTemplate;

  /** Sealed JSON of SealedSms, for SMS_PURPOSE (base64). */
  @IsBase64()
  sealed: string;

  /** Blind index of the phone, for PHONE_PURPOSE (base64): ops looks messages up by it. */
  @IsBase64()
  phoneIndex: string;

  @IsString()
  phoneMasked: string;

  /** Whose customer gets it; counts against that wholesaler's caps. */
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  /** What it is about: a transaction or a user. */
  @IsUUID()
  subjectId: string;

  /** After this it is of no use and is not sent. */
  @IsDateString()
  expiresAt: string;
}

/** What only the notifier opens. */
export interface SealedSms {
  phone: string;
  values: MessageValues[MessageTemplate];
}

export const sendMessage = defineJob({
  type: 'send-message',
  version: 1,
  queues: ['notifier'],
  Data: SendMessage,
});

export interface Sms<Template extends MessageTemplate> {
  template: Template;
  /** E.164. */
  phone: string;
  values: MessageValues[Template];
  wholesalerId?: string;
  subjectId: string;
  expiresAt: Date;
}

/** The outbox row of one SMS. Its id is the intent: it is sent at most once. */
export function smsRows<Template extends MessageTemplate>(
  sealer: Sealer,
  { template, phone, values, wholesalerId, subjectId, expiresAt }: Sms<Template>,
): OutboxRow[] {
  const secret: SealedSms = { phone, values };
  return outboxRows(
    sendMessage,
    { id: subjectId, version: 1 },
    {
      template,
      sealed: sealer.seal(JSON.stringify(secret), SMS_PURPOSE).toString('base64'),
      phoneIndex: sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64'),
      phoneMasked: maskPhone(phone),
      ...(wholesalerId === undefined ? {} : { wholesalerId }),
      subjectId,
      expiresAt: expiresAt.toISOString(),
    },
  );
}
