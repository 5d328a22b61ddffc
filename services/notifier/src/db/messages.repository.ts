import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { DataSource } from 'typeorm';
import type { MessageStatus } from '../domain/message';
import type { Outcome, SmsFailure } from '../domain/outcome';
import type { ClaimedMessage } from './claim-messages';
import { Message } from './message.entity';

/** Rows that one round takes away: far more than there ever are, and quickly done. */
const SETTLE_BATCH = 500;

export type NewMessage = Pick<
  Message,
  | 'id'
  | 'template'
  | 'wholesalerId'
  | 'subjectId'
  | 'requestId'
  | 'phoneIndex'
  | 'phoneMasked'
  | 'sealed'
  | 'expiresAt'
>;

/** Keeps a message unless it is there already: this is the notifier's inbox. */
export async function insertMessage(db: DataSource, message: NewMessage): Promise<void> {
  await db
    .createQueryBuilder()
    .insert()
    .into(Message, [
      'id',
      'template',
      'wholesalerId',
      'subjectId',
      'requestId',
      'phoneIndex',
      'phoneMasked',
      'sealed',
      'expiresAt',
    ])
    .values(message)
    .orIgnore()
    .updateEntity(false)
    .execute();
}

export interface FinishedAttempt {
  claimed: ClaimedMessage;
  outcome: Outcome;
  failure?: SmsFailure;
  /** Whether a final message forgets its phone and values. */
  wipe: boolean;
}

/** Writes down what came of an attempt: the attempt's row and the message's, in one statement. */
export async function storeAttempt(
  db: Db,
  { claimed, outcome, failure, wipe }: FinishedAttempt,
): Promise<void> {
  const answer = failure?.kind === 'answered' ? failure : undefined;
  await query(
    db,
    `WITH attempt AS (
       INSERT INTO message_attempts
         (message_id, number, started_at, outcome, http_status, provider_code)
       VALUES ($1, $2, $3, $4, $5, $6)
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

/**
 * Ends what nobody will end: pending messages past their expiry, and messages whose sender died
 * between its claim and its outcome. Those were perhaps sent, so they are unknown.
 * @returns the ids with their new status
 */
export function settleLapsed(
  db: Db,
  wipe: boolean,
): Promise<Array<Pick<Message, 'id' | 'template'> & { status: 'expired' | 'unknown' }>> {
  return query(
    db,
    `UPDATE messages
        SET status = CASE status WHEN 'pending' THEN 'expired' ELSE 'unknown' END,
            status_reason =
              CASE status WHEN 'pending' THEN COALESCE(status_reason, 'EXPIRED') ELSE 'SENDER_LOST' END,
            sealed = CASE WHEN $1 THEN NULL ELSE sealed END,
            claimed_until = NULL, updated_at = now()
      WHERE id IN (
        SELECT id FROM messages
         WHERE (status = 'pending' AND expires_at <= now())
            OR (status = 'sending' AND claimed_until < now())
         LIMIT $2
         FOR UPDATE SKIP LOCKED)
      RETURNING id, template, status`,
    [wipe, SETTLE_BATCH],
  );
}

/** How long the message that is due for longest has been so, on the database's clock; 0 for none. */
export async function oldestDueSeconds(db: Db): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    db,
    `SELECT GREATEST(0, EXTRACT(EPOCH FROM now() - min(next_attempt_at)))::float8 AS seconds
       FROM messages WHERE status = 'pending'`,
  );
  return row?.seconds ?? 0;
}

export interface MessageFilter {
  phoneIndex?: Buffer;
  status?: MessageStatus;
  /** Id of the last message of the page before. */
  afterId?: string;
  limit: number;
}

/** Messages, newest first. */
export function findMessages(
  db: DataSource,
  { phoneIndex, status, afterId, limit }: MessageFilter,
): Promise<Message[]> {
  const select = db
    .getRepository(Message)
    .createQueryBuilder('message')
    .orderBy('message.createdAt', 'DESC')
    .addOrderBy('message.id', 'DESC')
    .limit(limit);
  if (phoneIndex !== undefined) select.andWhere('message.phoneIndex = :phoneIndex', { phoneIndex });
  if (status !== undefined) select.andWhere('message.status = :status', { status });
  if (afterId !== undefined) {
    select.andWhere(
      '(message.createdAt, message.id) < (SELECT created_at, id FROM messages WHERE id = :afterId)',
      { afterId },
    );
  }
  return select.getMany();
}
