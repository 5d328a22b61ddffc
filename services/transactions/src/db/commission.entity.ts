import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the wholesaler pays for a transaction; a new amount voids the row and writes another. */
@Entity({ name: 'commissions' })
export class CommissionEntity {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ type: 'numeric', precision: 9, scale: 6 })
  rate: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'voided_at', type: 'timestamptz', nullable: true })
  voidedAt: Date | null;
}
