import type { OpsScope } from '@fiado/shared/contracts/scopes';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named credential of the lender's ops people. */
@Entity('ops_keys')
export class OpsKey {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** The person or the machine that uses it. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  scope: OpsScope;

  /** SHA-256 of the key, which is random enough to need no slow hash. */
  @Column({ type: 'bytea', name: 'key_hash' })
  keyHash: Buffer;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt: Date;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** Exact to a minute. */
  @Column({ type: 'timestamptz', name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
