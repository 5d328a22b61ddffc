import { IsBase64, IsIn, IsUUID } from './class-validator';
import { IsCount } from './decorators';
import { MESSAGE_TEMPLATES, type MessageTemplate } from './message-catalogue';
import { defineCall } from './define';

/**
 * The status of an SMS. pending: not sent yet. sent: the provider accepted it. delivered: the
 * provider reports so. failed: not sent, or the provider reports so. unknown: perhaps sent, so
 * never sent again. expired: not sent before its time was over.
 */
export const SMS_STATUSES = [
  'pending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'expired',
] as const;
export type SmsStatus = (typeof SMS_STATUSES)[number];

export class SmsBudgetQuestion {
  @IsIn(MESSAGE_TEMPLATES)
  template: MessageTemplate;

  /** Blind index of the phone, for PHONE_PURPOSE (base64). */
  @IsBase64()
  phoneIndex: string;

  @IsUUID()
  wholesalerId: string;

  /** Seconds after which the SMS is of no use. */
  @IsCount()
  lifeSeconds: number;
}

export interface SmsBudgetAnswer {
  allowed: boolean;
}

export class SmsStatusQuestion {
  /** An order or a user. */
  @IsUUID()
  subjectId: string;

  @IsIn(MESSAGE_TEMPLATES)
  template: MessageTemplate;
}

export interface SmsStatusAnswer {
  /** Null when the notifier has no such SMS (yet). */
  status: SmsStatus | null;
}

/** For the notifier: would an SMS be sent, as far as budgets go. */
export const smsBudgetCall = defineCall<SmsBudgetAnswer>()(
  '/internal/sms-budget',
  SmsBudgetQuestion,
);

/** For the notifier: the newest SMS of a kind about an object. */
export const smsStatusCall = defineCall<SmsStatusAnswer>()(
  '/internal/sms-status',
  SmsStatusQuestion,
);
