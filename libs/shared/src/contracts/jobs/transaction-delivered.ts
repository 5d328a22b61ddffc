import { IsDateString, IsInt, IsString, IsUUID, Min } from 'class-validator';
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

  /** Last moment to pay on time. */
  @IsDateString()
  dueAt: string;

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
