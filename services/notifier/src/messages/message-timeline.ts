import { findTimeline } from '@fiado/chassis/db/find-timeline';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { messageTimelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';

/** Each message once, with its outcome; findBehindCap decides alike what a cap holds back. */
const MESSAGES = `
  SELECT m.created_at AS at, 'message.requested' AS type, m.id::text AS id, m.wholesaler_id,
         m.subject_id,
         jsonb_strip_nulls(jsonb_build_object(
           'template', m.template, 'phoneNumber', m.phone_masked, 'status', m.status,
           'reason', CASE WHEN m.status = 'pending' AND m.attempts = 0
                           AND m.next_attempt_at < c.full_minute + interval '1 minute'
                          THEN 'wholesaler-cap' ELSE m.status_reason END,
           'attempts', m.attempts, 'sentAt', m.sent_at, 'expiresAt', m.expires_at)) AS details
    FROM (SELECT * FROM messages WHERE phone_index = ANY($8)
          UNION SELECT * FROM messages WHERE subject_id = $7) m
    LEFT JOIN claims_of_minute c ON c.wholesaler_id = m.wholesaler_id
   -- The store is known by its user and its phones.
   WHERE $1::uuid IS NOT NULL`;

export const timelineEndpoint = internalEndpoint({
  call: messageTimelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { userId, phoneIndexes, ...question }) => {
    const indexes = phoneIndexes.map((index) => Buffer.from(index, 'base64'));
    return { entries: await findTimeline(db, question, [MESSAGES], [userId, indexes]) };
  },
});
