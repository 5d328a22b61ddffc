import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** The lock of everything that changes a wholesaler's statements. */
@Entity('settlement_heads')
export class SettlementHeadRow {
  @PrimaryColumn({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  /** 0 before the first statement. */
  @Column({ name: 'last_number', type: 'integer' })
  lastNumber: number;

  @Column({ name: 'closed_until', type: 'timestamptz' })
  closedUntil: Date;

  /** Opening balance of the next statement: the debt of the wholesaler to the lender, else 0. */
  @Column({ name: 'carried_cents', type: 'bigint' })
  carriedCents: number;
}
