import type { CornerStoreStatus } from '@fiado/contracts/corner-store';

/**
 * The facts that decide and price an order: the credit line, the wholesaler's settings, and the
 * time.
 */
export interface CreditTerms {
  now: Date;
  cornerStoreId: string;
  userId: string;
  status: CornerStoreStatus;
  overdue: boolean;
  limitCents: number;
  usedCents: number;
  /** Decimal string. */
  interestRate: string;
  /** E.164 sealed for the purpose 'phone'. */
  phoneSealed: Buffer;
  externalId: string;
  wholesalerName: string;
  minimumTransactionCents: number;
  commissionRate: string;
  paymentTermDays: number;
  /** Decimal string. */
  deliveryOverageRate: string;
  /** Of the store; null: the installation's. */
  timeZone: string | null;
  deliveryWordEnabled: boolean;
  confirmationRequired: boolean;
  batchEnabled: boolean;
  /** Times that this wholesaler changed the phone: codes and words are good for that one number. */
  phoneChanges: number;
  /** Until when its larger orders are refused for it; null: they are not. */
  phoneHeldUntil: Date | null;
  /** The sum of its orders that count against this hold. */
  heldCents: number;
}
