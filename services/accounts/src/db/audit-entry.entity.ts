import type { AuditRecorded } from '@fiado/shared/contracts/jobs/audit-recorded';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Who did what to which object. Append-only, so it holds no personal data but the address (/64) of
 * a caller whose credential was refused.
 */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'timestamptz', name: 'occurred_at', default: () => 'now()' })
  occurredAt: Date;

  @Column({ type: 'text', name: 'actor_kind' })
  actorKind: string;

  @Column({ type: 'text', name: 'actor_id' })
  actorId: string;

  @Column({ type: 'text' })
  action: AuditAction;

  /** Null where it concerns several objects, which `details` names, or none. */
  @Column({ type: 'uuid', name: 'object_id', nullable: true })
  objectId: string | null;

  @Column({ type: 'jsonb' })
  details: object;
}

export type AuditAction =
  | AuditRecorded['action']
  | 'wholesaler.created'
  | 'wholesaler.changed'
  | 'payment-provider.created'
  | 'payment-provider.changed'
  | 'payment-provider.signing-secret-issued'
  | 'api-key.issued'
  | 'api-key.revoked'
  | 'credential.refused'
  | 'ops-key.issued'
  | 'ops-key.revoked'
  | 'customers.imported'
  | 'corner-stores.listed'
  | 'corner-store.changed'
  | 'corner-store.approved'
  | 'corner-store.rejected'
  | 'corner-store.phone-hold-cleared'
  | 'user.phone-changed'
  | 'user.names-changed'
  | 'onboarding.step-taken'
  | 'documents.listed'
  | 'document.viewed';
