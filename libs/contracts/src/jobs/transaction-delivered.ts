import {
  IsDateString,
  IsInt,
  IsOptional,
  IsString,
  IsTimeZone,
  IsUUID,
  Matches,
  Min,
} from 'class-validator';
import { IsCount } from '../decorators';
import { defineJob } from '../define-job';

/** The debt that a delivery books. Amounts in integer cents. */
export class TransactionDelivered {
  @IsUUID()
  transactionId: string;

  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  @IsUUID()
  userId: string;

  /** The wholesaler's own name for the corner store. */
  @IsString()
  externalId: string;

  @IsInt()
  @Min(1)
  principalCents: number;

  @IsCount()
  interestCents: number;

  @IsCount()
  ivaCents: number;

  /** Last moment to pay on time: the end of `dueOn` in `timeZone`. */
  @IsDateString()
  dueAt: string;

  /** Last day to pay, such as 2026-12-07. Absent in older events, as the time zone. */
  @IsOptional()
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  dueOn?: string;

  @IsOptional()
  @IsTimeZone()
  timeZone?: string;

  @IsDateString()
  deliveredAt: string;
}

/** transactions: goods were delivered, so the corner store owes. */
export const transactionDelivered = defineJob({
  type: 'transaction.delivered',
  version: 1,
  producers: ['transactions'],
  queues: ['payments'],
  Data: TransactionDelivered,
});
