import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TransactionStatus } from '../domain/transaction-status';

/** A corner store's order on credit. */
@Entity({ name: 'transactions' })
export class TransactionEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'incremental_id', type: 'bigint' })
  incrementalId: number;

  @Column({ type: 'bigint', default: 1 })
  version: number;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'wholesaler_transaction_id', type: 'text', nullable: true })
  wholesalerTransactionId: string | null;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  status: TransactionStatus;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;

  @Column({ name: 'interest_cents', type: 'bigint' })
  interestCents: number;

  @Column({ name: 'iva_cents', type: 'bigint' })
  ivaCents: number;

  @Column({ name: 'interest_rate', type: 'numeric', precision: 9, scale: 6 })
  interestRate: string;

  @Column({ name: 'iva_rate', type: 'numeric', precision: 9, scale: 6 })
  ivaRate: string;

  @Column({ name: 'commission_rate', type: 'numeric', precision: 9, scale: 6 })
  commissionRate: string;

  @Column({ name: 'movement_date', type: 'timestamptz' })
  movementDate: Date;

  @Column({ name: 'delivery_date', type: 'timestamptz', nullable: true })
  deliveryDate: Date | null;

  @Column({ name: 'payment_due_at', type: 'timestamptz' })
  paymentDueAt: Date;

  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true })
  deliveredAt: Date | null;

  /** Whether its store confirms it on a page behind a link. */
  @Column({ type: 'boolean', default: false })
  linked: boolean;

  /** Who delivers a batch, by the wholesaler's own id. */
  @Column({ name: 'driver_id', type: 'text', nullable: true })
  driverId: string | null;

  /** When an order that nobody confirms, or nobody delivers, is given up. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** Sealed JSON of where it was delivered, for the purpose 'delivery location'. */
  @Column({ name: 'location_sealed', type: 'bytea', nullable: true })
  locationSealed: Buffer | null;

  @Column({ type: 'json', nullable: true })
  metadata: object | null;

  /** What payments last said of its receivable, with the version that orders it. */
  @Column({ type: 'boolean', default: false })
  paid: boolean;

  /** What of the principal is owed, from the delivery on. */
  @Column({ name: 'owed_cents', type: 'bigint', default: 0 })
  owedCents: number;

  @Column({ name: 'receivable_version', type: 'bigint', default: 0 })
  receivableVersion: number;

  /** Whether payments last said that it is in default, with the version that orders it. */
  @Column({ name: 'in_default', type: 'boolean', default: false })
  inDefault: boolean;

  @Column({ name: 'default_version', type: 'bigint', default: 0 })
  defaultVersion: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
