import type { Scope } from '@fiado/contracts/caller';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A key of a wholesaler or a payment provider. Only its hash is kept. */
@Entity('api_keys')
export class ApiKeyRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: 'wholesaler' | 'provider';

  @Column({ name: 'wholesaler_id', type: 'uuid', nullable: true })
  wholesalerId: string | null;

  @Column({ name: 'payment_provider_id', type: 'uuid', nullable: true })
  paymentProviderId: string | null;

  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  /** Null is all that keys of its kind may. */
  @Column({ name: 'scopes', type: 'text', array: true, nullable: true })
  scopes: Scope[] | null;

  /** Null is never. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
