import { Personal } from '@fiado/chassis/db/marked-columns';
import type { CreditNoteReason } from '@fiado/contracts/credit-notes';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A credit note of a wholesaler that waited and was not booked. */
@Entity('refused_credit_notes')
export class RefusedCreditNoteRow {
  @PrimaryColumn({ name: 'change_request_id', type: 'uuid' })
  changeRequestId: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'principal_cents', type: 'bigint' })
  principalCents: number;

  @Column({ name: 'reason', type: 'text' })
  reason: CreditNoteReason;

  @Personal('wholesaler-names', { suppress: 'wiped' })
  @Column({ name: 'reference', type: 'text', nullable: true })
  reference: string | null;

  @Column({ name: 'status', type: 'text' })
  status: 'rejected' | 'expired' | 'failed' | 'replaced';

  @Column({ name: 'failure', type: 'text', nullable: true })
  failure: string | null;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  @Column({ name: 'decided_at', type: 'timestamptz' })
  decidedAt: Date;
}
