import {
  IsBase64,
  IsBoolean,
  IsDateString,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
} from '@fiado/contracts/class-validator';
import { defineJob } from '../define';
import { MESSAGE_TEMPLATES, type MessageTemplate, type MessageValues } from '../message-catalogue';

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

  /**
   * The wholesaler that set the phone, while no code that was sent to it has come back: the message waits for that
   * wholesaler's budget of unknown numbers. Absent for a phone that is known.
   */
  @IsOptional()
  @IsUUID()
  unprovenBy?: string;

  /** Whether the recipient agreed to WhatsApp. Absent for everybody else. */
  @IsOptional()
  @IsBoolean()
  byWhatsapp?: boolean;

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
  producers: ['accounts', 'transactions'],
  queues: ['notifier'],
  Data: SendMessage,
});
