import { Personal } from '@fiado/chassis/db/marked-columns';
import type { CreditNoteReason } from '@fiado/contracts/credit-notes';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Goods of an order that came back, were damaged or missing, or cost less. */
@Entity('credit_notes')
export class CreditNoteRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'number', type: 'integer' })
  number: number;

  @Column({ name: 'principal_cents', type: 'bigint' })
  principalCents: number;

  @Column({ name: 'interest_cents', type: 'bigint' })
  interestCents: number;

  @Column({ name: 'iva_cents', type: 'bigint' })
  ivaCents: number;

  @Column({ name: 'commission_cents', type: 'bigint' })
  commissionCents: number;

  @Column({ name: 'reason', type: 'text' })
  reason: CreditNoteReason;

  @Personal('wholesaler-names', { suppress: 'wiped' })
  @Column({ name: 'reference', type: 'text', nullable: true })
  reference: string | null;

  @Column({ name: 'invoice_id', type: 'uuid', nullable: true })
  invoiceId: string | null;

  @Column({ name: 'created_by', type: 'text' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;
}
