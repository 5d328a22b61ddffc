import { IsInt, IsPositive, IsUUID } from 'class-validator';
import { IsText } from './decorators';
import type { TransactionDelivered } from './jobs/transaction-delivered';
import { defineCall } from './define-call';

export class DeliverSandboxOrder {
  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  @IsText(100)
  wholesalerTransactionId: string;

  @IsInt()
  @IsPositive()
  amountCents: number;
}

/**
 * For transactions, in a sandbox: places an order on hold and delivers it, once for each
 * wholesalerTransactionId.
 */
export const deliverSandboxOrderCall = defineCall<DeliverSandboxOrder, TransactionDelivered>(
  '/internal/sandbox/deliver-order',
  DeliverSandboxOrder,
);
