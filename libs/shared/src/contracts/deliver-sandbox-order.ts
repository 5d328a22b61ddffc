import { IsInt, IsPositive, IsUUID } from 'class-validator';
import { IsText } from './decorators';

/**
 * POST /internal/sandbox/deliver-order of transactions, in a sandbox: places an order on hold and
 * delivers it, once for each wholesalerTransactionId. Answers its TransactionDelivered.
 */
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
