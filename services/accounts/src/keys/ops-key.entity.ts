import type { OpsScope } from '@fiado/contracts/caller';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A named key of ops. Only its hash is kept. */
@Entity('ops_keys')
export class OpsKeyRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'name', type: 'text' })
  name: string;

  @Column({ name: 'scope', type: 'text' })
  scope: OpsScope;

  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The person or the key that collected it; null: from before it was kept, and not known. */
  @Column({ name: 'issued_by', type: 'text', nullable: true })
  issuedBy: string | null;
}
