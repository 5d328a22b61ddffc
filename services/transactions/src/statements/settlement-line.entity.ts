import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** SQL: whether the order of a line is disputed. Null for a line without an order. */
export const IS_DISPUTED =
  "transaction_id IN (SELECT open.transaction_id FROM disputes open WHERE open.status = 'open')";

/** SQL: whether a statement that closed now would leave a line out; null where it would not. */
export const IS_HELD = `(payable_from > now() OR ${IS_DISPUTED})`;

/** The amount that the lender owes a wholesaler for a delivery, or a correction of it. */
@Entity('settlement_lines')
export class SettlementLineRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'kind', type: 'text' })
  kind: 'delivery' | 'credit-note' | 'clawback' | 'adjustment';

  @Column({ name: 'source_id', type: 'uuid' })
  sourceId: string;

  @Column({ name: 'transaction_id', type: 'uuid', nullable: true })
  transactionId: string | null;

  @Column({ name: 'gross_cents', type: 'bigint' })
  grossCents: number;

  @Column({ name: 'commission_cents', type: 'bigint' })
  commissionCents: number;

  @Personal('free-text')
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason: string | null;

  @Column({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;

  /** No statement that ends before it has the line; null: as soon as it is recorded. Triggers write it. */
  @Column({ name: 'payable_from', type: 'timestamptz', nullable: true })
  payableFrom: Date | null;

  /** Written when a statement is closed: nobody may insert it. */
  @Column({ name: 'statement_id', type: 'uuid', nullable: true, insert: false })
  statementId: string | null;
}
