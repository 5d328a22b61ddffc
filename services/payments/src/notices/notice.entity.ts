import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A message to a corner store about a debt. */
@Entity('notices')
export class NoticeRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: string;

  /** A receivable; of `payment-received` a deposit. */
  @Column({ name: 'subject_id', type: 'uuid' })
  subjectId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'state', type: 'text' })
  state: 'waiting' | 'sent' | 'dropped';

  /** Not looked at before: the store’s next hours. */
  @Column({ name: 'not_before', type: 'timestamptz' })
  notBefore: Date;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt: Date | null;

  /** Unassignments of the deposit that the notice is about. */
  @Column({ name: 'unassignments', type: 'integer' })
  unassignments: number;
}
