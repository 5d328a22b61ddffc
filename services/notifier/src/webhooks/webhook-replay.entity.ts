import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Events of a time range that are sent to an endpoint once more. */
@Entity('webhook_replays')
export class WebhookReplayRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'endpoint_id', type: 'uuid' })
  endpointId: string;

  @Column({ name: 'count', type: 'integer' })
  count: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
