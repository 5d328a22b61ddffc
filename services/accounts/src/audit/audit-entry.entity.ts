import { Personal } from '@fiado/chassis/db/marked-columns';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A change, or a read of personal data. Only inserted. */
@Entity('audit_log')
export class AuditEntryRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt: Date;

  @Column({ name: 'actor_kind', type: 'text' })
  actorKind: string;

  @Column({ name: 'actor_id', type: 'text' })
  actorId: string;

  @Column({ name: 'action', type: 'text' })
  action: string;

  /** Null where it concerns several objects, which `details` names, or none. */
  @Column({ name: 'object_id', type: 'uuid', nullable: true })
  objectId: string | null;

  /** Ids, numbers and states; never a name, a phone or a key. */
  @Personal('audit')
  @Column({ name: 'details', type: 'jsonb' })
  details: object;
}
