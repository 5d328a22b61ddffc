import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import type { ChangeKindName } from '@fiado/contracts/change-requests';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import { PURPOSE } from '../db/purposes';

export const CHANGE_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'expired',
  'executed',
  'failed',
] as const;

export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** A change that waits, or waited, for a second person. */
@Entity('change_requests')
export class ChangeRequestRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'kind', type: 'text' })
  kind: ChangeKindName;

  @Column({ name: 'target_id', type: 'uuid', nullable: true })
  targetId: string | null;

  @Column({ name: 'target_version', type: 'bigint', nullable: true })
  targetVersion: number | null;

  @Personal('free-text')
  @Column({ name: 'payload', type: 'jsonb' })
  payload: object;

  /** The values that the change replaces. */
  @Personal('free-text')
  @Column({ name: 'before', type: 'jsonb' })
  before: object;

  @Personal('free-text')
  @Column({ name: 'reason', type: 'text', nullable: true })
  reason: string | null;

  @Column({ name: 'requested_by', type: 'text' })
  requestedBy: string;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  @Column({ name: 'status', type: 'text' })
  status: ChangeStatus;

  @Column({ name: 'decided_by', type: 'text', nullable: true })
  decidedBy: string | null;

  @Personal('free-text')
  @Column({ name: 'decision_reason', type: 'text', nullable: true })
  decisionReason: string | null;

  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt: Date | null;

  /** Why it was not made: CHANGE_TARGET_CHANGED, STALE, or the code of an error. */
  @Column({ name: 'failure', type: 'text', nullable: true })
  failure: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** The rows of an import name many people. No other column says which. */
  @Personal('transient', { suppress: 'expires' })
  @Sealed(PURPOSE.importRows)
  @Column({ name: 'sealed_payload', type: 'bytea', nullable: true })
  sealedPayload: Buffer | null;

  @Column({ name: 'attempts', type: 'integer' })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  @Column({ name: 'dead_at', type: 'timestamptz', nullable: true })
  deadAt: Date | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  @Column({ name: 'traceparent', type: 'text', nullable: true })
  traceparent: string | null;
}
