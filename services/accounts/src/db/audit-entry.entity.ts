import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who did what to which object. Append-only, so it never holds personal data. */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text', name: 'actor_kind' })
  actorKind: string;

  @Column({ type: 'text', name: 'actor_id' })
  actorId: string;

  @Column({ type: 'text' })
  action: AuditAction;

  @Column({ type: 'uuid', name: 'object_id' })
  objectId: string;

  @Column({ type: 'jsonb' })
  details: object;
}

export type AuditAction =
  | 'wholesaler.created'
  | 'wholesaler.changed'
  | 'payment-provider.created'
  | 'api-key.issued'
  | 'api-key.revoked'
  | 'customers.imported'
  | 'corner-store.changed'
  | 'corner-store.approved'
  | 'corner-store.rejected'
  | 'user.phone-changed'
  | 'onboarding.step-taken'
  | 'documents.listed'
  | 'document.viewed';
