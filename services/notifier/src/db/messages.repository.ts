import { queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import type { DataSource } from 'typeorm';
import type { MessageStatus } from '../domain/message';
import type { Outcome, SmsFailure } from '../domain/outcome';
import type { ClaimedMessage } from './claim-messages';
import { Message } from './message.entity';

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
  db: DataSource,
  { phoneIndex, status, wholesalerId, verificationId, afterId, limit }: MessageFilter,
): Promise<Message[]> {
  const select = db
    .getRepository(Message)
    .createQueryBuilder('message')
    .orderBy('message.createdAt', 'DESC')
    .addOrderBy('message.id', 'DESC')
    .limit(limit);
  if (phoneIndex !== undefined) select.andWhere('message.phoneIndex = :phoneIndex', { phoneIndex });
  if (status !== undefined) select.andWhere('message.status = :status', { status });
  if (wholesalerId !== undefined) {
    select.andWhere('message.wholesalerId = :wholesalerId', { wholesalerId });
  }
  if (verificationId !== undefined) {
    select.andWhere('message.verificationId = :verificationId', { verificationId });
  }
  if (afterId !== undefined) {
    select.andWhere(
      '(message.createdAt, message.id) < (SELECT created_at, id FROM messages WHERE id = :afterId)',
      { afterId },
    );
  }
  return select.getMany();
}
