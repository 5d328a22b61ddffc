import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { MessageTemplate } from '@fiado/shared/contracts/jobs/send-message';
import type { MessageStatus } from '../domain/message';

/** One SMS to one phone: an intent, which is sent at most once. */
export interface Message {
  /** Id of the job that asked for it. */
  id: string;
  template: MessageTemplate;
  wholesalerId: string | null;
  subjectId: string;
  /** Whose code it carries. */
  verificationId: string | null;
  /** The outside request that wants it: the later tries' log lines carry its id. */
  requestId: string | null;
  phoneIndex: Buffer;
  phoneMasked: string;
  /** Phone and values; null once the message is final in production. */
  sealed: Buffer | null;
  status: MessageStatus;
  /** The reason of the status: the provider's code, or one of ours. */
  statusReason: string | null;
  attempts: number;
  expiresAt: Date;
  sentAt: Date | null;
  createdAt: Date;
}

export interface MessageFilter {
  phoneIndex?: Buffer;
  status?: MessageStatus;
  wholesalerId?: string;
  verificationId?: string;
  /** Id of the last message of the page before. */
  afterId?: string;
  limit: number;
}

/** Messages, newest first. */
export function findMessages(
  db: Db,
  { phoneIndex, status, wholesalerId, verificationId, afterId, limit }: MessageFilter,
): Promise<Message[]> {
  return query<Message>(
    db,
    `SELECT * FROM messages
      WHERE ($1::bytea IS NULL OR phone_index = $1)
        AND ($2::text IS NULL OR status = $2)
        AND ($3::uuid IS NULL OR wholesaler_id = $3)
        AND ($4::uuid IS NULL OR verification_id = $4)
        AND ($5::uuid IS NULL
             OR (created_at, id) < (SELECT created_at, id FROM messages WHERE id = $5))
      ORDER BY created_at DESC, id DESC LIMIT $6`,
    [
      phoneIndex ?? null,
      status ?? null,
      wholesalerId ?? null,
      verificationId ?? null,
      afterId ?? null,
      limit,
    ],
  );
}
