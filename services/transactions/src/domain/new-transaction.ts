import type { TransactionStatus } from './transaction-status';

export interface ProductLine {
  externalSKU: string;
  name: string;
  quantity: number;
}

/** An order, priced and numbered, before it is held and written. */
export interface NewTransaction {
  id: string;
  incrementalId: number;
  wholesalerId: string;
  wholesalerTransactionId: string | undefined;
  cornerStoreId: string;
  userId: string;
  status: TransactionStatus;
  amountCents: number;
  interestCents: number;
  ivaCents: number;
  commissionCents: number;
  /** Rates as decimal strings. */
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  movementDate: Date;
  deliveryDate: Date | undefined;
  paymentDueAt: Date;
  expiresAt: Date;
  linked: boolean;
  metadata: object | undefined;
  products: Array<ProductLine & { position: number }>;
  verification: {
    id: string;
    status: 'pending' | 'approved';
    codeSalt: Buffer;
    sends: number;
    expiresAt: Date;
  };
  /** Of the number that the code or the word is sent to. */
  phoneChanges: number;
}
