import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

export const DISPUTE_STATUSES = ['open', 'kept', 'credited'] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export const DISPUTE_CHANNELS = ['sms', 'page', 'ops'] as const;

/** A delivered order that its store says is not its own. While it is open, no statement has its lines. */
@Entity('disputes')
export class DisputeRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'transaction_id', type: 'uuid' })
  transactionId: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'opened_by', type: 'text' })
  openedBy: (typeof DISPUTE_CHANNELS)[number];

  /** The person of ops; null where the store said it itself. */
  @Column({ name: 'opened_by_id', type: 'text', nullable: true })
  openedById: string | null;

  @Column({ name: 'opened_at', type: 'timestamptz' })
  openedAt: Date;

  @Column({ name: 'status', type: 'text' })
  status: DisputeStatus;

  /** Id of the credential or the person. */
  @Column({ name: 'decided_by', type: 'text', nullable: true })
  decidedBy: string | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt: Date | null;

  @Personal('free-text')
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason: string | null;

  /** What the wholesaler says to it. */
  @Personal('free-text')
  @Column({ name: 'response', type: 'text', nullable: true })
  response: string | null;

  @Column({ name: 'responded_at', type: 'timestamptz', nullable: true })
  respondedAt: Date | null;
}
