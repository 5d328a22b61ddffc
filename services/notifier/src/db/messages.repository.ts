import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';
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
  subjectId?: string;
  /** Id of the last message of the page before. */
  afterId?: string;
  limit: number;
}

/** Messages, newest first. */
export function findMessages(
  db: Db,
  { phoneIndex, status, wholesalerId, verificationId, subjectId, afterId, limit }: MessageFilter,
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
        AND ($7::uuid IS NULL OR subject_id = $7)
      ORDER BY created_at DESC, id DESC LIMIT $6`,
    [
      phoneIndex ?? null,
      status ?? null,
      wholesalerId ?? null,
      verificationId ?? null,
      afterId ?? null,
      limit,
      subjectId ?? null,
    ],
  );
}

export const ATTEMPT_OUTCOMES = ['sent', 'pending', 'failed', 'unknown'] as const;

/** A call to the SMS provider for a message. */
export interface MessageAttempt {
  messageId: string;
  number: number;
  startedAt: Date;
  finishedAt: Date;
  outcome: (typeof ATTEMPT_OUTCOMES)[number];
  /** Null without an answer. */
  httpStatus: number | null;
  providerCode: string | null;
}

/** The attempts at messages of one page, each message's in their order. */
export function findAttempts(db: Db, messageIds: string[]): Promise<MessageAttempt[]> {
  return query<MessageAttempt>(
    db,
    `SELECT message_id, number, started_at, finished_at, outcome, http_status, provider_code
       FROM message_attempts WHERE message_id = ANY($1) ORDER BY message_id, number`,
    [messageIds],
  );
}
