import { AppError } from '@fiado/contracts/errors';
import type { Price, Rates } from './pricing.rules';

/**
 * States of an order: pending-verification → on-hold → delivery ⇄ in-payment-default → paid;
 * aside, cancelled and expired.
 */
export const ORDER_STATUSES = [
  'pending-verification',
  'on-hold',
  'delivery',
  'in-payment-default',
  'paid',
  'cancelled',
  'expired',
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

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
  status: OrderStatus;
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

/** The key of an order: its wholesaler has at most one live order with an id, however the id is spelled. */
export const ORDER_KEY = {
  table: 'transactions',
  scope: ['wholesaler_id'],
  key: 'wholesaler_transaction_id',
  live: (prefix: string): string =>
    `${prefix}wholesaler_transaction_id IS NOT NULL AND ${prefix}status NOT IN ('cancelled', 'expired')`,
  index: 'transactions_live_order_folded',
};

/** The SQL types of fields that are columns of `transactions`: of the same names, in snake case. */
export const ROW_TYPES = {
  id: 'uuid',
  incrementalId: 'bigint',
  wholesalerId: 'uuid',
  wholesalerTransactionId: 'text',
  cornerStoreId: 'uuid',
  userId: 'uuid',
  status: 'text',
  amountCents: 'bigint',
  interestCents: 'bigint',
  ivaCents: 'bigint',
  interestRate: 'numeric',
  ivaRate: 'numeric',
  commissionRate: 'numeric',
  movementDate: 'timestamptz',
  deliveryDate: 'timestamptz',
  paymentTermDays: 'smallint',
  deliveryOverageRate: 'numeric',
  paymentTimeZone: 'text',
  paymentDueOn: 'date',
  paymentDueAt: 'timestamptz',
  expiresAt: 'timestamptz',
  linked: 'boolean',
  driverId: 'text',
  metadata: 'text',
};

/** The SQL types of a new order's fields. The compiler refuses a field that is missing here. */
export const NEW_ORDER_TYPES: Record<keyof NewOrder, string> = {
  ...ROW_TYPES,
  commissionCents: 'bigint',
  products: 'jsonb',
  verificationId: 'uuid',
  verificationStatus: 'text',
  codeSalt: 'text',
  codeSends: 'integer',
  codeExpiresAt: 'timestamptz',
  wordSealed: 'text',
  phoneChanges: 'integer',
};

/**
 * The order, when it exists and is on hold.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export function onHold<Order extends { status: OrderStatus }>(order: Order | undefined): Order {
  if (order === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (order.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
  return order;
}

/** Whether the order still waits for its code. */
export function awaitsConfirmation(status: OrderStatus): boolean {
  return status === 'pending-verification';
}

/** Whether the order ended before it was confirmed: its verification is void. */
export function isAbandoned(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'expired';
}

const HOUR_MS = 60 * 60_000;

/** An order expires if its store does not confirm it in this time. */
const UNCONFIRMED_LIFE_MS = 24 * HOUR_MS;

/** An order on hold expires this long after it should have been delivered. */
const ON_HOLD_LIFE_MS = 30 * 24 * HOUR_MS;

/** When an order that waits for its code gives its credit back. */
export function unconfirmedExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + UNCONFIRMED_LIFE_MS);
}

/** When an order on hold gives its credit back: counted from its delivery date, if it has one. */
export function onHoldExpiry(createdAt: Date, deliveryDate: Date | null | undefined): Date {
  const from = Math.max(createdAt.getTime(), deliveryDate?.getTime() ?? 0);
  return new Date(from + ON_HOLD_LIFE_MS);
}

/** What a delivery word is sealed for. */
export const WORD_PURPOSE = 'delivery word';

/** What the place of a delivery is sealed for. */
export const LOCATION_PURPOSE = 'delivery location';
