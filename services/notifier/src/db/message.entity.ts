import type { MessageTemplate } from '@fiado/shared/contracts/jobs/send-message';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MessageStatus } from '../domain/message';

/** One SMS to one phone: an intent, which is sent at most once. */
@Entity('messages')
export class Message {
  /** Id of the job that asked for it. */
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  template: MessageTemplate;

  @Column({ name: 'wholesaler_id', type: 'uuid', nullable: true })
  wholesalerId: string | null;

  @Column({ name: 'subject_id', type: 'uuid' })
  subjectId: string;

  /** Whose code it carries. */
  @Column({ name: 'verification_id', type: 'uuid', nullable: true })
  verificationId: string | null;

  /** The outside request that wants it: the later tries' log lines carry its id. */
  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  @Column({ name: 'phone_index', type: 'bytea' })
  phoneIndex: Buffer;

  @Column({ name: 'phone_masked', type: 'text' })
  phoneMasked: string;

  /** Phone and values; null once the message is final in production. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;

  @Column({ type: 'text' })
  status: MessageStatus;

  /** The reason of the status: the provider's code, or one of ours. */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason: string | null;

  @Column({ type: 'integer' })
  attempts: number;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  sentAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
