import type { CornerStoreStatus } from '@fiado/shared/contracts/corner-store';
import type { OnboardingStep } from '@fiado/shared/contracts/onboarding';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('corner_stores')
export class CornerStore {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @Column({ type: 'text' })
  status: CornerStoreStatus;

  @Column({ type: 'bigint', name: 'credit_limit_cents' })
  creditLimitCents: number;

  /** Decimal string, at most 6 decimals. */
  @Column({ type: 'numeric', name: 'interest_rate', precision: 9, scale: 6 })
  interestRate: string;

  /** Steps of the onboarding that are taken, each once. */
  @Column({ type: 'text', name: 'onboarding_steps', array: true })
  onboardingSteps: OnboardingStep[];

  @Column({ type: 'text', name: 'rejection_reason', nullable: true })
  rejectionReason: string | null;

  /** The state in the last event of payments, and the version of that event. */
  @Column({ type: 'boolean' })
  overdue: boolean;

  @Column({ type: 'bigint', name: 'overdue_version' })
  overdueVersion: number;

  /** Version of the published snapshot. */
  @Column({ type: 'bigint' })
  version: number;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
