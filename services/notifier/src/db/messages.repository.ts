import { query, queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import type { MessageTemplate } from '@fiado/shared/contracts/jobs/send-message';
import type { MessageStatus } from '../domain/message';
import type { Outcome, SmsFailure } from '../domain/outcome';
import type { ClaimedMessage } from './claim-messages';

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

export interface FinishedAttempt {
  claimed: ClaimedMessage;
  outcome: Outcome;
  failure?: SmsFailure;
  /** Whether phone and values are deleted from a final message. */
  wipe: boolean;
}

/**
 * Stores the outcome of an attempt in the rows of attempt and message, in one statement. Safe to
 * repeat after a lost answer.
 */
export async function storeAttempt(
  db: Db,
  { claimed, outcome, failure, wipe }: FinishedAttempt,
): Promise<void> {
  const answer = failure?.kind === 'answered' ? failure : undefined;
  await queryNamed(
    db,
    'store-attempt',
    `WITH attempt AS (
       INSERT INTO message_attempts
         (message_id, number, started_at, outcome, http_status, provider_code)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT DO NOTHING
     )
     UPDATE messages
        SET status = $4, status_reason = $7, provider_sid = $8, claimed_until = NULL,
            sent_at = CASE WHEN $4 = 'sent' THEN now() END,
            next_attempt_at = now() + make_interval(secs => $9),
            -- What may be sent again needs its phone.
            sealed = CASE WHEN $10 AND $4 <> 'pending' THEN NULL ELSE sealed END,
            updated_at = now()
      WHERE id = $1 AND attempts = $2
        -- An answer that comes after the claim lapsed still settles the unknown, never revives it.
        AND (status = 'sending' OR (status = 'unknown' AND $4 IN ('sent', 'failed')))`,
    [
      claimed.id,
      claimed.attempt,
      claimed.startedAt,
      outcome.status,
      answer?.httpStatus ?? null,
      answer?.providerCode ?? null,
      'reason' in outcome ? outcome.reason : null,
      outcome.status === 'sent' ? outcome.sid : null,
      outcome.status === 'pending' ? outcome.retryInMs / 1_000 : 0,
      wipe,
    ],
  );
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
