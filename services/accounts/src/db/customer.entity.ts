import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A corner store as one wholesaler's customer. */
@Entity('customers')
export class Customer {
  @PrimaryColumn({ type: 'uuid', name: 'wholesaler_id' })
  wholesalerId: string;

  @PrimaryColumn({ type: 'uuid', name: 'corner_store_id' })
  cornerStoreId: string;

  /** The wholesaler's own name for it. */
  @Column({ type: 'text', name: 'external_id' })
  externalId: string;
}
