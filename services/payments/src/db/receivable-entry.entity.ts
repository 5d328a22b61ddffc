import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change of a receivable, in signed cents; the sum of all is what is still to pay. */
@Entity({ name: 'receivable_entries' })
export class ReceivableEntryEntity {
  @PrimaryColumn({ name: 'receivable_id', type: 'uuid' })
  receivableId: string;

  /** The receivable's version that this entry made. */
  @PrimaryColumn({ type: 'bigint' })
  version: number;

  @Column({ type: 'text' })
  cause: 'opened' | 'payment' | 'reversal';

  @Column({ name: 'allocation_id', type: 'uuid', nullable: true })
  allocationId: string | null;

  @Column({ name: 'principal_cents', type: 'bigint' })
  principalCents: number;

  @Column({ name: 'interest_cents', type: 'bigint' })
  interestCents: number;

  @Column({ name: 'iva_cents', type: 'bigint' })
  ivaCents: number;
}
