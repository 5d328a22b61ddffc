import { IsDateString, IsIn, IsObject, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { defineJob } from '../define';
import type { MessageValues } from '../message-catalogue';

/** Messages about debts: payments decides on them and knows neither phone nor names. */
export const NOTICE_KINDS = [
  'delivered',
  'payment-received',
  'payment-reversed',
  'payment-due',
  'payment-overdue',
  'order-credited',
  'default-withdrawn',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The values of a message without the supplier's name, which accounts adds. */
export type NoticeValues = Partial<
  Omit<MessageValues['delivered'] & MessageValues['payment-received'], 'wholesaler'>
>;

export class NotifyCornerStore {
  @IsIn(NOTICE_KINDS)
  kind: NoticeKind;

  @IsUUID()
  cornerStoreId: string;

  /** The wholesaler of the order that it is about; absent when it is about a payment. */
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  /** The order or the deposit. */
  @IsUUID()
  subjectId: string;

  @IsObject()
  values: NoticeValues;

  /** It is not sent after this time. */
  @IsDateString()
  expiresAt: string;
}

/** payments: tell a corner store about a debt or a payment, by SMS to its present phone. */
export const notifyCornerStore = defineJob({
  type: 'notify-corner-store',
  producers: ['payments'],
  queues: ['accounts'],
  Data: NotifyCornerStore,
});
