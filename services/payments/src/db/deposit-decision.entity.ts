import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A decision of ops on a deposit; append-only. */
@Entity({ name: 'deposit_decisions' })
export class DepositDecisionEntity {
  @PrimaryColumn({ name: 'deposit_id', type: 'uuid' })
  depositId: string;

  @PrimaryColumn({ type: 'text' })
  decision: 'assigned' | 'reversed';

  /** Id of the ops credential. */
  @Column({ name: 'decided_by', type: 'text' })
  decidedBy: string;

  /** To which corner store it was assigned. */
  @Column({ name: 'corner_store_id', type: 'uuid', nullable: true })
  cornerStoreId: string | null;

  /** Why it was reversed. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;
}
