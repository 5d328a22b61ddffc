import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';

/** All that decides and prices an order: the line, the wholesaler's settings, and the moment. */
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
  deliveryWordEnabled: boolean;
  confirmationRequired: boolean;
}
