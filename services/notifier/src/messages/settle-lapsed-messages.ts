import type { Db } from '@fiado/chassis/db/database';
import { oneByOne, query, queryNamed } from '@fiado/chassis/db/query';
import type { Context } from '../context';
import { countSms } from '../metrics';
import type { Message } from './messages.sql';

/** Rows of a kind in one iteration: far more than there ever are, and quickly done. */
const SETTLE_BATCH = 500;

/**
 * One round: ends messages whose time is over, and those whose sender was lost; wipes expired unknown ones.
 * @returns whether there may be more
 */
export async function settleLapsedMessages({ db, keepsBodies, log }: Context): Promise<boolean> {
  const lapsed = await settleLapsed(db, !keepsBodies);
  for (const { id, template, channel, status, waitedBehindCap } of lapsed) {
    // A crashed sender counts as a network failure. No SMS follows an expired message, so it counts as an SMS.
    const lost = status === 'unknown' && { channel, reason: 'SENDER_LOST' };
    countSms({ template, outcome: status, ...lost });
    if (waitedBehindCap) countSms({ template, outcome: 'wholesaler-cap' });
    log.warn({ messageId: id, status, waitedBehindCap }, 'message expired');
  }
  const wiped = keepsBodies ? 0 : await wipeExpiredUnknown(db, SETTLE_BATCH);
  return lapsed.length >= SETTLE_BATCH || wiped === SETTLE_BATCH;
}

interface LapsedMessage extends Pick<Message, 'id' | 'template' | 'channel'> {
  status: 'expired' | 'unknown';
  /** Whether it expired behind its wholesaler's cap. */
  waitedBehindCap: boolean;
}

/**
 * Ends messages that no sender will end: pending messages past their expiry, and messages whose sender crashed between
 * claim and outcome. The latter may have been sent, so they and their attempts become unknown.
 * @param wipe whether an expired message forgets its phone and values
 */
function settleLapsed(db: Db, wipe: boolean): Promise<LapsedMessage[]> {
  return queryNamed<LapsedMessage>(
    db,
    'settle-lapsed',
    `WITH lapsed AS (
       SELECT id, status, attempts, attempted_at,
              status = 'pending' AND attempts = 0 AND EXISTS (
                SELECT FROM claims_of_minute
                 WHERE claims_of_minute.wholesaler_id = messages.wholesaler_id
                   AND messages.next_attempt_at < full_minute + interval '1 minute') AS behind_cap
         FROM (
           -- Each kind in the order of its index: a plan for a new table would read all that are pending.
           SELECT * FROM (SELECT * FROM messages WHERE status = 'pending' AND expires_at <= now()
                           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) expired
           UNION ALL
           SELECT * FROM (SELECT * FROM messages WHERE status = 'sending' AND claimed_until < now()
                           ORDER BY claimed_until LIMIT $2 FOR UPDATE SKIP LOCKED) unknown) messages
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
            sms_at = CASE WHEN messages.status = 'sending' THEN sms_at END,
            claimed_until = NULL, updated_at = now()
       FROM lapsed
      WHERE messages.id = lapsed.id AND ${oneByOne('lapsed.id')}
      RETURNING messages.id, template, channel, messages.status, behind_cap AS "waitedBehindCap"`,
    [wipe, SETTLE_BATCH],
  );
}

/**
 * Unknown messages keep phone and values until they expire, so that ops can have them sent again.
 * @returns how many were wiped, at most `limit`
 */
async function wipeExpiredUnknown(db: Db, limit: number): Promise<number> {
  const wiped = await query(
    db,
    `UPDATE messages SET sealed = NULL, updated_at = now()
      WHERE id IN (SELECT id FROM messages
                    WHERE status = 'unknown' AND sealed IS NOT NULL AND expires_at <= now()
                    LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING 1`,
    [limit],
  );
  return wiped.length;
}
