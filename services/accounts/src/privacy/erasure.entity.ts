import { Personal } from '@fiado/chassis/db/marked-columns';
import type { ErasurePhase } from '@fiado/contracts/jobs/privacy';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A block or an erasure of a person: what is left to do, and its report. */
@Entity('erasures')
export class ErasureRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'request_id', type: 'uuid' })
  requestId: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'corner_store_id', type: 'uuid' })
  cornerStoreId: string;

  @Column({ name: 'phase', type: 'text' })
  phase: ErasurePhase;

  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt: Date;

  @Column({ name: 'state', type: 'text' })
  state: 'waiting' | 'running' | 'done';

  @Personal('audit')
  @Column({ name: 'report', type: 'text', nullable: true })
  report: string | null;

  @Personal('audit')
  @Column({ name: 'report_sha256', type: 'bytea', nullable: true })
  reportSha256: Buffer | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Key of renamed values; null before it runs and after it is done. */
  @Column({ name: 'name_key', type: 'bytea', nullable: true })
  nameKey: Buffer | null;

  /** Keys of images that are to be deleted. */
  @Column({ name: 'files', type: 'text', array: true })
  files: string[];
}
