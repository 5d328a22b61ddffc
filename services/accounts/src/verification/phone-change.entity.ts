import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A new phone of a store, for each wholesaler that sells to it. */
@Entity('phone_changes')
export class PhoneChangeRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'wholesaler_id', type: 'uuid' })
  wholesalerId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;

  /** Until then large orders of the wholesaler wait. */
  @Column({ name: 'held_until', type: 'timestamptz', nullable: true })
  heldUntil: Date | null;
}
