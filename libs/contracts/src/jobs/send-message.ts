import { IsBase64, IsDateString, IsIn, IsOptional, IsString, IsUUID } from 'class-validator';
import { defineJob } from '../define';

/** The closed list of messages and the values that each carries. */
export interface MessageValues {
  'verification-code': { code: string };
  /** Opens the account page. */
  'account-code': { code: string };
  'order-code': { code: string; amountCents: number; wholesaler: string };
  'delivery-word': { word: string; wholesaler: string; amountCents: number };
  delivered: { totalCents: number; wholesaler: string; dueOn: string; reference: string };
  /** leftCents: all that the store still owes. */
  'payment-received': { amountCents: number; leftCents: number };
  /** A payment that the store was told of was taken back. leftCents: all that it owes now. */
  'payment-reversed': { amountCents: number; leftCents: number; reference: string };
  /** A credit note. leftCents: all that the store still owes. */
  'order-credited': { amountCents: number; leftCents: number; wholesaler: string };
  'payment-due': DueDebt;
  'payment-overdue': DueDebt;
  /** The corner store may buy on credit. creditLimitCents: 0 while it has no limit. */
  'store-approved': { creditLimitCents: number };
  'phone-changed': { phoneMasked: string };
  /** The owner opposed to reminders. */
  'reminders-ended': Record<string, never>;
  'reminders-resumed': Record<string, never>;
}

interface DueDebt {
  amountCents: number;
  wholesaler: string;
  /** Last day to pay on time: `2026-12-07`. */
  dueOn: string;
  reference: string;
}
export type MessageTemplate = keyof MessageValues;

export const MESSAGE_TEMPLATES: MessageTemplate[] = [
  'verification-code',
  'account-code',
  'order-code',
  'delivery-word',
  'delivered',
  'payment-received',
  'payment-reversed',
  'payment-due',
  'payment-overdue',
  'order-credited',
  'store-approved',
  'phone-changed',
  'reminders-ended',
  'reminders-resumed',
];

/** Purposes under which a message's parts are sealed and indexed. */
export const SMS_PURPOSE = 'sms';
export const PHONE_PURPOSE = 'phone';

/** A send-message job: ids in the clear, phone and values in one sealed envelope. */
export class SendMessage {
  @IsIn(MESSAGE_TEMPLATES)
  template: MessageTemplate;

  /** Sealed JSON of SealedSms, for SMS_PURPOSE and bound to subjectId (base64). */
  @IsBase64()
  sealed: string;

  /** Blind index of the phone, for PHONE_PURPOSE (base64): ops looks messages up by it. */
  @IsBase64()
  phoneIndex: string;

  @IsString()
  phoneMasked: string;

  /** The wholesaler of the recipient; the message counts against its caps. */
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  /** Id of the order or user that it is about. */
  @IsUUID()
  subjectId: string;

  /** The verification whose code it carries; absent for messages without a code. */
  @IsOptional()
  @IsUUID()
  verificationId?: string;

  /** It is not sent after this time. */
  @IsDateString()
  expiresAt: string;
}

/** Content of the sealed envelope, which only the notifier opens. */
export interface SealedSms {
  phone: string;
  values: MessageValues[MessageTemplate];
}

export const sendMessage = defineJob({
  type: 'send-message',
  version: 1,
  producers: ['accounts', 'transactions'],
  queues: ['notifier'],
  Data: SendMessage,
});
