import { IsDateString, IsOptional, IsUUID } from './class-validator';
import { IsCountFromOne, IsText } from './decorators';
import { defineCall } from './define';
import type { TransactionDelivered } from './jobs/debts';

export class DeliverSandboxOrder {
  @IsUUID()
  wholesalerId: string;

  @IsUUID()
  cornerStoreId: string;

  @IsText(100)
  wholesalerTransactionId: string;

  @IsCountFromOne()
  amountCents: number;
}

/**
 * For transactions, in a sandbox: places an order on hold and delivers it, once for each
 * wholesalerTransactionId.
 */
export const deliverSandboxOrderCall = defineCall<TransactionDelivered>()(
  '/internal/sandbox/deliver-order',
  DeliverSandboxOrder,
);

export class EndSandboxOrders {
  @IsUUID()
  wholesalerId: string;

  /**
   * Orders that are expired at this moment expire, and debts that are overdue then are named.
   * Without it every open order is cancelled, and every debt named.
   */
  @IsOptional()
  @IsDateString()
  asOf?: string;
}

export interface EndedSandboxOrders {
  /** Orders that were expired or cancelled: a limited number, so the call may be repeated. */
  ended: number;
  /** Delivered and not paid, as far as transactions knows. */
  owed: TransactionDelivered[];
  /** Corner stores that were left alone, because they are another wholesaler's too. */
  skipped: string[];
}

/**
 * For transactions, in a sandbox: ends orders of a wholesaler at corner stores that no other
 * wholesaler has, and names what is owed there.
 */
export const endSandboxOrdersCall = defineCall<EndedSandboxOrders>()(
  '/internal/sandbox/end-orders',
  EndSandboxOrders,
);
