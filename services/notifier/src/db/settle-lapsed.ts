import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/jobs/send-message';

/** Rows in one iteration: far more than there ever are, and quickly done. */
export const SETTLE_BATCH = 500;

export interface LapsedMessage {
  id: string;
  template: MessageTemplate;
  status: 'expired' | 'unknown';
  /** Whether it expired behind its wholesaler's cap. */
  waitedBehindCap: boolean;
}

/**
 * Ends messages that nobody else will end: pending messages past their expiry, and messages whose
 * sender crashed between claim and outcome. The latter may have been sent, so they become unknown, and
 * so does their attempt.
 * @param wipe whether an expired message forgets its phone and values
 */
export function settleLapsed(db: Db, wipe: boolean): Promise<LapsedMessage[]> {
  return queryNamed<LapsedMessage>(
    db,
    'settle-lapsed',
    `WITH lapsed AS (
       SELECT id, status, attempts, attempted_at,
              status = 'pending' AND attempts = 0 AND EXISTS (
                SELECT FROM claims_of_minute
                 WHERE claims_of_minute.wholesaler_id = messages.wholesaler_id
                   AND messages.next_attempt_at < full_minute + interval '1 minute') AS behind_cap
         FROM messages
        WHERE (status = 'pending' AND expires_at <= now())
           OR (status = 'sending' AND claimed_until < now())
        LIMIT $2
        FOR UPDATE SKIP LOCKED
     ), lost AS (
       -- Its outcome replaces this one, if the sender still has it.
       INSERT INTO message_attempts (message_id, number, started_at, outcome)
       SELECT id, attempts, coalesce(attempted_at, now()), 'unknown' FROM lapsed
        WHERE status = 'sending'
       ON CONFLICT DO NOTHING
     )
     UPDATE messages
        SET status = CASE messages.status WHEN 'pending' THEN 'expired' ELSE 'unknown' END,
            status_reason = CASE
              WHEN messages.status = 'sending' THEN 'SENDER_LOST'
              WHEN behind_cap THEN 'wholesaler-cap'
              ELSE COALESCE(status_reason, 'EXPIRED') END,
            sealed = CASE WHEN $1 AND messages.status = 'pending' THEN NULL ELSE sealed END,
            claimed_until = NULL, updated_at = now()
       FROM lapsed
      WHERE messages.id = lapsed.id
      RETURNING messages.id, template, messages.status, behind_cap AS "waitedBehindCap"`,
    [wipe, SETTLE_BATCH],
  );
}
