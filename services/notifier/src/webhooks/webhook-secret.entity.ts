import { Sealed } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** The purpose for which secrets of webhook endpoints are sealed. */
export const WEBHOOK_SECRET_PURPOSE = 'webhook-secret';

/** A secret that signs the events of an endpoint. */
@Entity('webhook_secrets')
export class WebhookSecretRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'endpoint_id', type: 'uuid' })
  endpointId: string;

  @Column({ name: 'kind', type: 'text' })
  kind: 'v1' | 'v1a';

  @Sealed(WEBHOOK_SECRET_PURPOSE)
  @Column({ name: 'sealed', type: 'bytea' })
  sealed: Buffer;

  /** The key with which receivers verify; v1a only. */
  @Column({ name: 'public_key', type: 'text', nullable: true })
  publicKey: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Set when another secret has replaced it. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
