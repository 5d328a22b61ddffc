import { distinctValues } from '@fiado/chassis/db/distinct-values.sql';
import type { Db } from '@fiado/chassis/db/database';
import { oneByOne, queryNamed } from '@fiado/chassis/db/query';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import { overPhoneBudget, phoneUseQuery, type PhoneBudgets } from './phone-budget.sql';

/**
 * Longer than a call may take. After this time the sender counts as crashed, and the message is
 * unknown.
 */
export const CLAIM_SECONDS = 30;

/** A message that only this process may send, and only in this attempt. */
export interface ClaimedMessage {
  id: string;
  subjectId: string;
  template: MessageTemplate;
  sealed: Buffer;
  /** The request from outside that caused it. */
  requestId: string | null;
  /** The span that stored it. */
  traceparent: string | null;
  /** Number of the attempt, from 1. */
  attempt: number;
  startedAt: Date;
  /** Time until the message expires. */
  validSeconds: number;
  /** Whether it waited behind its wholesaler's cap: it was due in a minute that became full. */
  waitedBehindCap: boolean;
}

/** A message that failed for a budget of its phone. */
export interface RefusedMessage {
  id: string;
  template: MessageTemplate;
  refusal: 'phone-cap' | 'phone-and-wholesaler-cap';
}

export interface ClaimMessages extends PhoneBudgets {
  provider: string;
  limit: number;
  /** Claims of one wholesaler's messages in a minute of the clock. */
  perWholesaler: number;
  /** Whether phone and values are deleted from a final message. */
  wipe: boolean;
}

/** At least one row, for `more`; without an id if no message was decided. */
type Row = (ClaimedMessage | { id: null }) & {
  refusal: RefusedMessage['refusal'] | null;
  more: boolean;
} & Record<string, unknown>;

/** The outcome of a claim. */
export interface Claim {
  claimed: ClaimedMessage[];
  refused: RefusedMessage[];
  /** Whether messages are left that were due: another claim had locked them, or there were many. */
  more: boolean;
}

/**
 * Claims due messages: once this commits, nobody else ever sends this attempt. Each wholesaler's
 * messages are taken in the order of their arrival, within its cap for the minute; messages over
 * the cap stay unchanged. A message over a budget of its phone fails. One past its expiry is left
 * to settleLapsed.
 *
 * It is one statement outside of a database transaction, so that a suspended process holds
 * no lock, and it waits for no row: it skips what another process is claiming.
 *
 * All parts of the statement read one snapshot, which lacks what other claims commit after its start.
 * Two steps keep a cap or a budget from being exceeded all the same. The count of a wholesaler is read
 * from its row of claims_of_minute under a lock, which returns the newest version of the row. The
 * messages of a phone are counted in the snapshot; they are used only if the phone's row of
 * phone_claims, also locked, still has the version of the snapshot. Each claim raises that version.
 */
export async function claimMessages(
  db: Db,
  { provider, limit, perPhone, perPhoneAndWholesaler, perWholesaler, wipe }: ClaimMessages,
): Promise<Claim> {
  const rows = await queryNamed<Row>(db, 'claim-messages', CLAIM, [
    provider,
    CLAIM_SECONDS,
    limit,
    perPhone,
    perPhoneAndWholesaler,
    perWholesaler,
    wipe,
  ]);
  const claimed: ClaimedMessage[] = [];
  const refused: RefusedMessage[] = [];
  for (const { refusal, more: _more, ...message } of rows) {
    if (message.id === null) continue;
    if (refusal === null) claimed.push(message);
    else refused.push({ id: message.id, template: message.template, refusal });
  }
  return { claimed, refused, more: rows[0]?.more ?? false };
}

const THIS_MINUTE = `date_trunc('minute', now())`;
const NO_WHOLESALER = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** The queue of a message: its wholesaler's, or the one of the messages that have none. */
export const QUEUE_ID = `coalesce(wholesaler_id, ${NO_WHOLESALER})`;
/** Messages that a wholesaler has claimed in this minute, from its row. */
const CLAIMED = `CASE WHEN minute >= ${THIS_MINUTE} THEN claimed ELSE 0 END`;
/** How many messages a claim looks at for each wholesaler that has any due. */
const SHARE = `ceil($3::numeric / (SELECT count(*) FROM open))::bigint`;
/** The rest of its cap; NULL for messages without a wholesaler, which have no cap. */
const ROOM = `CASE WHEN wholesaler_id <> ${NO_WHOLESALER} THEN $6::integer - ${CLAIMED} END`;

/** The wholesalers that have pending messages, by the index messages_waiting. */
const WAITING = distinctValues({
  name: 'waiting',
  table: 'messages',
  column: QUEUE_ID,
  as: 'wholesaler_id',
  where: `status = 'pending'`,
});

const CLAIM = `
  WITH RECURSIVE ${WAITING}, open AS (
    -- Messages behind a cap are not even looked at.
    SELECT wholesaler_id, ${ROOM} AS room
      FROM waiting LEFT JOIN claims_of_minute USING (wholesaler_id)
     WHERE wholesaler_id IS NOT NULL AND ${ROOM} <= 0 IS NOT TRUE
  ), candidates AS (
    -- An equal share for each, so that nobody waits for another's thousands.
    SELECT first.id, open.wholesaler_id
      FROM open CROSS JOIN LATERAL (
        SELECT id, next_attempt_at FROM messages
         WHERE status = 'pending' AND ${QUEUE_ID} = open.wholesaler_id
           AND next_attempt_at <= now() AND expires_at > now()
         ORDER BY next_attempt_at, id
         LIMIT least(open.room, ${SHARE})) first
     ORDER BY first.next_attempt_at, first.id LIMIT $3
  ), new_wholesalers AS (
    -- The first message of a wholesaler makes its row, and is claimed by the next claim.
    INSERT INTO claims_of_minute (wholesaler_id, minute, claimed)
    SELECT DISTINCT wholesaler_id, ${THIS_MINUTE}, 0 FROM candidates
     WHERE NOT EXISTS (SELECT FROM claims_of_minute
                        WHERE claims_of_minute.wholesaler_id = candidates.wholesaler_id)
    ON CONFLICT DO NOTHING
  ), wholesalers AS (
    SELECT wholesaler_id, full_minute, ${ROOM} AS room FROM claims_of_minute
     WHERE wholesaler_id = ANY (ARRAY (SELECT wholesaler_id FROM candidates))
       FOR UPDATE SKIP LOCKED
  ), due AS (
    SELECT locked.id, phone_index, locked.wholesaler_id, template, next_attempt_at
      FROM (SELECT id FROM candidates
             WHERE wholesaler_id IN (SELECT wholesaler_id FROM wholesalers) OFFSET 0) first,
           -- OFFSET 0: each message is looked up by its id, and not among all that are pending.
           LATERAL (
             SELECT id, phone_index, ${QUEUE_ID} AS wholesaler_id, template, status, next_attempt_at
               FROM messages WHERE id = first.id OFFSET 0
                FOR UPDATE SKIP LOCKED) locked
     WHERE status = 'pending' AND next_attempt_at <= now()
  ), seen AS MATERIALIZED (
    SELECT phone_index, version FROM phone_claims
     WHERE phone_index = ANY (ARRAY (SELECT phone_index FROM due))
  ), unchanged AS (
    -- Leaves out a phone that another claim has used since the snapshot; the next claim takes it.
    SELECT seen.phone_index
      FROM seen CROSS JOIN LATERAL (
        SELECT FROM phone_claims
         WHERE phone_claims.phone_index = seen.phone_index AND phone_claims.version = seen.version
           FOR UPDATE SKIP LOCKED) same
  ), new_phones AS (
    INSERT INTO phone_claims (phone_index)
    SELECT DISTINCT phone_index FROM due
     WHERE phone_index NOT IN (SELECT phone_index FROM seen) ORDER BY phone_index
    ON CONFLICT DO NOTHING
    RETURNING phone_index
  ), phones AS (
    SELECT phone_index FROM unchanged UNION ALL SELECT phone_index FROM new_phones
  ), used AS (
    SELECT of_one.phone_index, of_one.wholesaler_id, used.*
      FROM (SELECT DISTINCT phone_index, wholesaler_id FROM due JOIN phones USING (phone_index)) of_one
     CROSS JOIN LATERAL (${phoneUseQuery({
       phone: 'of_one.phone_index',
       wholesaler: 'of_one.wholesaler_id',
       perPhone: '$4',
     })}) used
  ), judged AS (
    SELECT due.*, ${overPhoneBudget({
      template: 'due.template',
      perPhone: '$4::integer',
      perPhoneAndWholesaler: '$5::integer',
    })} AS refusal
      FROM due JOIN used USING (phone_index, wholesaler_id)
  ), accepted AS (
    -- One for each phone: the next claim counts it before it takes another.
    SELECT DISTINCT ON (phone_index) * FROM judged WHERE refusal IS NULL
     ORDER BY phone_index, next_attempt_at, id
  ), ranked AS (
    SELECT accepted.*,
           row_number() OVER (PARTITION BY wholesaler_id ORDER BY next_attempt_at, id) AS place
      FROM accepted
  ), decided AS (
    SELECT id, phone_index, wholesaler_id, refusal, room, full_minute
      FROM ranked JOIN wholesalers USING (wholesaler_id) WHERE place > room IS NOT TRUE
    UNION ALL
    SELECT id, phone_index, wholesaler_id, refusal, NULL, NULL
      FROM judged WHERE refusal IS NOT NULL
  ), counted AS (
    UPDATE claims_of_minute
       SET minute = greatest(minute, ${THIS_MINUTE}),
           claimed = ${CLAIMED} + claims.count,
           full_minute = CASE WHEN claims.count = claims.room
             THEN greatest(minute, ${THIS_MINUTE}) ELSE full_minute END
      FROM (SELECT wholesaler_id, room, count(*)::integer AS count FROM decided
             WHERE refusal IS NULL AND room IS NOT NULL GROUP BY wholesaler_id, room) claims
     WHERE claims_of_minute.wholesaler_id = claims.wholesaler_id
  ), versioned AS (
    UPDATE phone_claims SET version = version + 1
      FROM decided
     WHERE phone_claims.phone_index = decided.phone_index AND refusal IS NULL
       AND ${oneByOne('decided.phone_index')}
  ), updated AS (
    UPDATE messages
       SET status = CASE WHEN refusal IS NULL THEN 'sending' ELSE 'failed' END,
           status_reason = refusal,
           attempts = attempts + (refusal IS NULL)::integer,
           attempted_at = CASE WHEN refusal IS NULL THEN now() ELSE attempted_at END,
           provider = CASE WHEN refusal IS NULL THEN $1 ELSE provider END,
           claimed_until = CASE WHEN refusal IS NULL THEN now() + make_interval(secs => $2) END,
           sealed = CASE WHEN $7 AND refusal IS NOT NULL THEN NULL ELSE sealed END,
           updated_at = now()
      FROM decided
     WHERE messages.id = decided.id AND ${oneByOne('decided.id')}
    RETURNING messages.id, subject_id AS "subjectId", template, sealed,
              request_id AS "requestId", traceparent, attempts AS attempt, now() AS "startedAt",
              EXTRACT(EPOCH FROM expires_at - now())::float8 AS "validSeconds", refusal,
              (attempts = 1 AND next_attempt_at < full_minute + interval '1 minute') IS TRUE
                AS "waitedBehindCap"
  )
  SELECT updated.*, found.more
    FROM (SELECT (SELECT count(*) FROM candidates) > (SELECT count(*) FROM decided)
                 OR EXISTS (SELECT FROM candidates GROUP BY wholesaler_id
                             HAVING count(*) >= ${SHARE}) AS more) found
    LEFT JOIN updated ON true`;
