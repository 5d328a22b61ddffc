import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A decision of ops on a deposit. Each can be taken once. */
@Entity('deposit_decisions')
export class DepositDecisionRow {
  @PrimaryColumn({ name: 'deposit_id', type: 'uuid' })
  depositId: string;

  @PrimaryColumn({ name: 'decision', type: 'text' })
  decision: 'assigned' | 'unassigned' | 'reversed';

  /** Id of the ops credential or the person. */
  @Column({ name: 'decided_by', type: 'text' })
  decidedBy: string;

  /** The corner store; of an unassigned deposit, the one that loses it. */
  @Column({ name: 'corner_store_id', type: 'uuid', nullable: true })
  cornerStoreId: string | null;

  @Personal('free-text')
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason: string | null;

  @Column({ name: 'decided_at', type: 'timestamptz' })
  decidedAt: Date;

  @PrimaryColumn({ name: 'unassignments', type: 'integer' })
  unassignments: number;

  /** The amount of the deposit, if one person alone assigned it. */
  @Column({ name: 'alone_cents', type: 'bigint', nullable: true })
  aloneCents: number | null;
}
