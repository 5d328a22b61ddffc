import { IsInt, IsPositive, IsString, IsUUID, MaxLength } from 'class-validator';

/**
 * POST /internal/sandbox/deliver-order of transactions, in a sandbox: places an order on hold and
 * delivers it, once for each wholesalerTransactionId. Answers its TransactionDelivered.
 */
export class DeliverSandboxOrder {
  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  @IsString()
  @MaxLength(100)
  wholesalerTransactionId: string;

  @IsInt()
  @IsPositive()
  amountCents: number;
}
