import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** The file of a granted access: what is kept of a person. */
@Entity('privacy_packages')
export class PrivacyPackageRow {
  @PrimaryColumn({ name: 'request_id', type: 'uuid' })
  requestId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Key of the sealed file; null once it is deleted. */
  @Column({ name: 'storage_key', type: 'text', nullable: true })
  storageKey: string | null;

  @Column({ name: 'size_bytes', type: 'bigint' })
  sizeBytes: number;

  @Column({ name: 'ready_at', type: 'timestamptz' })
  readyAt: Date;
}
