import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A transfer that paid a statement. At most one of a statement has not come back. */
@Entity('statement_payments')
export class StatementPaymentRow {
  @PrimaryColumn({ name: 'statement_id', type: 'uuid' })
  statementId: string;

  /** 1, 2, 3 … of its statement. */
  @PrimaryColumn({ name: 'number', type: 'integer' })
  number: number;

  @Column({ name: 'bank_reference', type: 'text' })
  bankReference: string;

  /** Capital letters and digits of the reference: however it is spaced, it is the same. */
  @Column({ name: 'bank_reference_key', type: 'text' })
  bankReferenceKey: string;

  /** Such as 2026-11-24. */
  @Column({ name: 'paid_on', type: 'date' })
  paidOn: string;

  @Column({ name: 'cents', type: 'bigint' })
  cents: number;

  @Column({ name: 'paid_by', type: 'text' })
  paidBy: string;

  /** Null: one person was enough. */
  @Column({ name: 'approved_by', type: 'text', nullable: true })
  approvedBy: string | null;

  @Column({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;

  @Column({ name: 'returned_at', type: 'timestamptz', nullable: true })
  returnedAt: Date | null;

  @Column({ name: 'return_reason', type: 'text', nullable: true })
  returnReason: string | null;
}
