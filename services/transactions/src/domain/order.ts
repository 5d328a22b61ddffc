import type { Price, Rates } from './pricing';
import type { TransactionStatus } from './transaction-status';

export interface ProductLine {
  externalSKU: string;
  name: string;
  quantity: number;
}

/** An order as a wholesaler sends it: alone, behind a link, or in a batch. */
export interface Order {
  /** An id that is no UUID belongs to no corner store. */
  cornerStoreId: string;
  amountCents: number;
  wholesalerTransactionId: string | undefined;
  deliveryDate: Date | undefined;
  products: ProductLine[];
  metadata: object | undefined;
}

/** An order, priced and numbered, as it is written. An item of a batch has no verification. */
export interface NewOrder
  extends Omit<Order, 'products' | 'metadata'>, Rates, Price, Partial<NewVerification> {
  id: string;
  incrementalId: number;
  wholesalerId: string;
  userId: string;
  status: TransactionStatus;
  movementDate: Date;
  /** The terms of its delivery, as they are now. */
  paymentTermDays: number;
  deliveryOverageRate: string;
  paymentTimeZone: string;
  /** Last day to pay, such as 2026-12-07: an estimate until the delivery. */
  paymentDueOn: string;
  /** The end of that day. */
  paymentDueAt: Date;
  expiresAt: Date;
  /** Whether its store confirms it on a page behind a link. */
  linked: boolean;
  /** Who delivers a batch, by the wholesaler's own id. */
  driverId: string | undefined;
  /** JSON, as it was sent. */
  metadata: string | undefined;
  products: Array<ProductLine & { position: number }>;
  /** Base64; undefined before the confirmation and where words are off. */
  wordSealed: string | undefined;
  /** The number of phone changes when the code or the word is sent. */
  phoneChanges: number;
}

/** The verification of an order, and its code. */
export interface NewVerification {
  verificationId: string;
  verificationStatus: 'pending' | 'approved';
  /** Base64. */
  codeSalt: string;
  codeSends: number;
  codeExpiresAt: Date;
}
