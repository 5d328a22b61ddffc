import type { Scope } from '@fiado/shared/contracts/scopes';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  kind: 'wholesaler' | 'provider';

  @Column({ type: 'uuid', name: 'wholesaler_id', nullable: true })
  wholesalerId: string | null;

  @Column({ type: 'uuid', name: 'payment_provider_id', nullable: true })
  paymentProviderId: string | null;

  /** SHA-256 of the key, which is random enough to need no slow hash. */
  @Column({ type: 'bytea', name: 'key_hash' })
  keyHash: Buffer;

  /** What it allows; null is all that keys of its kind may. */
  @Column({ type: 'text', array: true, nullable: true })
  scopes: Scope[] | null;

  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt: Date | null;
}
