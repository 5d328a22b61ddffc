import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What one delivered transaction makes a user owe, and how much of each part is paid. */
@Entity({ name: 'receivables' })
export class ReceivableEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** The wholesaler's own name for the corner store. */
  @Column({ name: 'external_id', type: 'text' })
  externalId: string;

  @Column({ name: 'id_factura', type: 'text' })
  idFactura: string;

  @Column({ name: 'principal_cents', type: 'bigint' })
  principalCents: number;

  @Column({ name: 'interest_cents', type: 'bigint' })
  interestCents: number;

  @Column({ name: 'iva_cents', type: 'bigint' })
  ivaCents: number;

  @Column({ name: 'paid_principal_cents', type: 'bigint' })
  paidPrincipalCents: number;

  @Column({ name: 'paid_interest_cents', type: 'bigint' })
  paidInterestCents: number;

  @Column({ name: 'paid_iva_cents', type: 'bigint' })
  paidIvaCents: number;

  /** Last moment to pay on time. */
  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;

  /** Counts the entries of its ledger. */
  @Column({ type: 'bigint' })
  version: number;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt: Date | null;
}
