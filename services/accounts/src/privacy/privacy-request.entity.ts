import type {
  IdentityProof,
  PrivacyChannel,
  PrivacyReason,
  PrivacyRequestKind,
  PrivacyRequestStatus,
} from '@fiado/contracts/privacy';
import { Column, Entity, PrimaryColumn } from '@fiado/chassis/db/typeorm';

/** A request of a person about their own data. */
@Entity('privacy_requests')
export class PrivacyRequestRow {
  @PrimaryColumn({ name: 'id', type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ name: 'kind', type: 'text' })
  kind: PrivacyRequestKind;

  @Column({ name: 'channel', type: 'text' })
  channel: PrivacyChannel;

  @Column({ name: 'identity_proof', type: 'text' })
  identityProof: IdentityProof;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;

  @Column({ name: 'answer_due_at', type: 'timestamptz' })
  answerDueAt: Date;

  @Column({ name: 'answer_extended', type: 'boolean' })
  answerExtended: boolean;

  /** Null until it is granted. */
  @Column({ name: 'execution_due_at', type: 'timestamptz', nullable: true })
  executionDueAt: Date | null;

  @Column({ name: 'execution_extended', type: 'boolean' })
  executionExtended: boolean;

  @Column({ name: 'status', type: 'text' })
  status: PrivacyRequestStatus;

  @Column({ name: 'outcome', type: 'text', nullable: true })
  outcome: 'granted' | 'refused' | null;

  /** Reason of the refusal, or of the last extension. */
  @Column({ name: 'reason_code', type: 'text', nullable: true })
  reasonCode: PrivacyReason | null;

  @Column({ name: 'opened_by', type: 'text' })
  openedBy: string;

  @Column({ name: 'answered_by', type: 'text', nullable: true })
  answeredBy: string | null;

  @Column({ name: 'answered_at', type: 'timestamptz', nullable: true })
  answeredAt: Date | null;

  @Column({ name: 'done_at', type: 'timestamptz', nullable: true })
  doneAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'package_tried_at', type: 'timestamptz', nullable: true })
  packageTriedAt: Date | null;
}
