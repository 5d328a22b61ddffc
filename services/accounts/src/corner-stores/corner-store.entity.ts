import { Personal, Sealed } from '@fiado/chassis/db/marked-columns';
import type { CornerStoreStatus, PauseReason } from '@fiado/contracts/corner-store';
import type { OnboardingStep } from '@fiado/contracts/onboarding';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';
import { PURPOSE } from '../db/purposes';

/** Who paused a corner store, and what its status was before. */
export interface Pause {
  /** Id of the person or of the key. */
  by: string;
  /** ISO 8601. */
  at: string;
  reason: PauseReason;
  from: CornerStoreStatus;
}

/** A corner store: its state, and its terms of credit. */
@Entity('corner_stores')
export class CornerStoreRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'status', type: 'text' })
  status: CornerStoreStatus;

  @Column({ name: 'credit_limit_cents', type: 'bigint' })
  creditLimitCents: number;

  /** Decimal string, at most 6 decimals. */
  @Column({ name: 'interest_rate', type: 'numeric' })
  interestRate: string;

  @Personal('identity')
  @Sealed(PURPOSE.cornerStoreName)
  @Column({ name: 'name', type: 'bytea', nullable: true })
  name: Buffer | null;

  @Personal('identity')
  @Sealed(PURPOSE.information)
  @Column({ name: 'information', type: 'bytea', nullable: true })
  information: Buffer | null;

  @Personal('free-text')
  @Column({ name: 'rejection_reason', type: 'text', nullable: true })
  rejectionReason: string | null;

  @Column({ name: 'overdue', type: 'boolean' })
  overdue: boolean;

  @Column({ name: 'overdue_version', type: 'bigint' })
  overdueVersion: number;

  /** Orders what others learn of the store. */
  @Column({ name: 'version', type: 'bigint' })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  @Column({ name: 'onboarding_steps', type: 'text', array: true })
  onboardingSteps: OnboardingStep[];

  /** IANA name; null: the installation's. */
  @Column({ name: 'time_zone', type: 'text', nullable: true })
  timeZone: string | null;

  @Personal('free-text')
  @Column({ name: 'approval_reason', type: 'text', nullable: true })
  approvalReason: string | null;

  @Column({ name: 'approved_limit_cents', type: 'bigint', nullable: true })
  approvedLimitCents: number | null;

  @Column({ name: 'raised_alone_cents', type: 'bigint' })
  raisedAloneCents: number;

  @Column({ name: 'blocked_at', type: 'timestamptz', nullable: true })
  blockedAt: Date | null;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt: Date | null;

  @Column({ name: 'opposed_at', type: 'timestamptz', nullable: true })
  opposedAt: Date | null;

  @Column({ name: 'opposition_told_at', type: 'timestamptz', nullable: true })
  oppositionToldAt: Date | null;

  @Column({ name: 'opposition_changed_at', type: 'timestamptz', nullable: true })
  oppositionChangedAt: Date | null;

  /** While it is paused, its status is in-manual-validation. */
  @Column({ name: 'pause', type: 'jsonb', nullable: true })
  pause: Pause | null;
}

/** Written by each change of a store that is published: a trigger sees the change and its version at once. */
export const RAISED = { version: () => 'version + 1', updatedAt: () => 'now()' };
