import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CreditEntryKind = 'hold' | 'adjustment' | 'release' | 'repayment' | 'reversal';

/** One change of a credit line's use. Append-only. */
@Entity({ name: 'credit_entries' })
export class CreditEntryEntity {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ type: 'text' })
  kind: CreditEntryKind;

  /** Positive uses credit, negative frees it. */
  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;

  /** The payment behind it; null when the transaction itself is the cause. */
  @Column({ name: 'cause_id', type: 'uuid', nullable: true })
  causeId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
