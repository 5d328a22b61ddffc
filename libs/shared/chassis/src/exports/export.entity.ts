import type { ExportKind, ExportStatus } from '@fiado/contracts/exports';
import { Column, Entity, PrimaryColumn } from '../db/typeorm';

/** An export of a service that has CREATE_EXPORTS in its schema. */
@Entity('exports')
export class StoredExportRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: ExportKind;

  @Column({ name: 'format', type: 'text' })
  format: 'csv' | 'jsonl';

  /** A CSV for a spreadsheet: the format `people` of the API. */
  @Column({ name: 'for_people', type: 'boolean' })
  forPeople: boolean;

  /** Rows of this time or later. */
  @Column({ name: 'from_at', type: 'timestamptz' })
  fromAt: Date;

  /** Rows from before this time. */
  @Column({ name: 'to_at', type: 'timestamptz' })
  toAt: Date;

  /** Null is all wholesalers. */
  @Column({ name: 'wholesaler_id', type: 'uuid', nullable: true })
  wholesalerId: string | null;

  @Column({ name: 'status', type: 'text' })
  status: ExportStatus;

  @Column({ name: 'requested_by', type: 'text' })
  requestedBy: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When the key and the files are deleted. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** Seals the parts. Null once it is deleted: then nothing can open them, wherever a copy is. */
  @Column({ name: 'key', type: 'bytea', nullable: true })
  key: Buffer | null;

  @Column({ name: 'row_count', type: 'bigint' })
  rowCount: number;

  @Column({ name: 'byte_count', type: 'bigint' })
  byteCount: number;

  /** SHA-256 of the whole file; null until it is ready. */
  @Column({ name: 'sha256', type: 'bytea', nullable: true })
  sha256: Buffer | null;

  /** Lease of the process that writes the next part. */
  @Column({ name: 'lease_id', type: 'uuid', nullable: true })
  leaseId: string | null;

  @Column({ name: 'leased_until', type: 'timestamptz', nullable: true })
  leasedUntil: Date | null;

  /** When the last part was written, or the export requested. */
  @Column({ name: 'progressed_at', type: 'timestamptz' })
  progressedAt: Date;

  /** Attempts since the last part. */
  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;
}
