import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';

/** A corner store's line of credit: a copy of what accounts decides, and what of it is used. */
@Entity({ name: 'credit_lines' })
export class CreditLineEntity {
  @PrimaryColumn({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Of the corner store's snapshot; an older one is ignored. */
  @Column({ type: 'bigint' })
  version: number;

  @Column({ type: 'text' })
  status: CornerStoreStatus;

  @Column({ name: 'limit_cents', type: 'bigint' })
  limitCents: number;

  @Column({ name: 'interest_rate', type: 'numeric', precision: 9, scale: 6 })
  interestRate: string;

  /** Sealed for the purpose 'phone'. */
  @Column({ name: 'phone_sealed', type: 'bytea' })
  phoneSealed: Buffer;

  @Column({ type: 'boolean' })
  overdue: boolean;

  @Column({ name: 'overdue_version', type: 'bigint' })
  overdueVersion: number;

  /** The sum of the line's credit_entries, always. */
  @Column({ name: 'used_cents', type: 'bigint' })
  usedCents: number;
}
