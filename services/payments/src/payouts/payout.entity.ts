import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Of a column that only processes of the release before use; the next release drops it. */
const UNUSED = { select: false, insert: false, update: false } as const;

/** Money of a credit balance that leaves to the store's bank account. */
@Entity('payouts')
export class PayoutRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents: number;

  @Personal('free-text')
  @Column({ name: 'bank_reference', type: 'text' })
  bankReference: string;

  /** In capitals, without what a bank’s form may add. */
  @Personal('free-text', { suppress: 'renamed' })
  @Column({ name: 'bank_reference_key', type: 'text' })
  bankReferenceKey: string;

  @Personal('free-text')
  @Column({ name: 'reason', type: 'text' })
  reason: string;

  @Column({ name: 'status', type: 'text' })
  status: 'requested' | 'paid' | 'cancelled' | 'returned';

  @Column({ name: 'requested_by', type: 'text' })
  requestedBy: string;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt: Date | null;

  @Column({ name: 'returned_at', type: 'timestamptz', nullable: true })
  returnedAt: Date | null;

  /** A copy of a row of waiting_changes; a trigger writes it. */
  @Column({ name: 'return_requested_id', type: 'uuid', nullable: true, ...UNUSED })
  returnRequestedId: string | null;

  @Column({ name: 'return_requested_by', type: 'text', nullable: true, ...UNUSED })
  returnRequestedBy: string | null;
}
