import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** Where events of an owner are sent. */
@Entity('webhook_endpoints')
export class WebhookEndpointRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'owner_id', type: 'uuid' })
  ownerId: string;

  @Column({ name: 'url', type: 'text' })
  url: string;

  @Column({ name: 'description', type: 'text', nullable: true })
  description: string | null;

  /** Patterns of events/event-patterns.rules.ts. */
  @Column({ name: 'events', type: 'text', array: true })
  events: string[];

  /** Whether the events of one subject are sent one after another. */
  @Column({ name: 'ordered', type: 'boolean' })
  ordered: boolean;

  @Column({ name: 'state', type: 'text' })
  state: 'enabled' | 'paused' | 'disabled' | 'deleted';

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: 'failing' | 'gone' | 'asked' | null;

  /** Whether the owner was told that it was disabled. */
  @Column({ name: 'disabled_told', type: 'boolean' })
  disabledTold: boolean;

  @Column({ name: 'enabled_at', type: 'timestamptz' })
  enabledAt: Date;

  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince: Date | null;

  /** Failed attempts since the last success. */
  @Column({ name: 'failures', type: 'integer' })
  failures: number;

  @Column({ name: 'good_at', type: 'timestamptz', nullable: true })
  goodAt: Date | null;

  @Column({ name: 'slow', type: 'boolean' })
  slow: boolean;

  /** Deliveries that are being sent. */
  @Column({ name: 'in_flight', type: 'integer' })
  inFlight: number;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;
}
