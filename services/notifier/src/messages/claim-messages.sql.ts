import { distinctValues } from '@fiado/chassis/db/distinct-values.sql';
import type { Db } from '@fiado/chassis/db/database';
import { oneByOne, queryNamed } from '@fiado/chassis/db/query';
import type { SendMessage } from '@fiado/contracts/jobs/send-message';
import type { MessageTemplate } from '@fiado/contracts/message-catalogue';
import { lateAt } from './outcome.rules';
import {
  budgetParameters,
  decideWithinBudgets,
  QUEUE_ID,
  ROOM,
  type MessageBudgets,
} from './message-budgets.sql';

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
  /** Null: an SMS. */
  channel: 'whatsapp' | null;
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
  /** Whether its wholesaler's cap delayed it: it was due in a minute that was full. */
  waitedBehindCap: boolean;
}

/** A message that failed for a budget of its phone. */
export interface RefusedMessage {
  id: string;
  template: MessageTemplate;
  refusal: 'phone-cap' | 'phone-and-wholesaler-cap';
}

/** The limits of a claim. */
export interface ClaimMessages extends MessageBudgets {
  /** Unique for each statement: it finds the claimed messages when the answer is lost. */
  claimId: string;
  provider: string;
  /** Messages at most: those whose calls can start at once. */
  limit: number;
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
 * @param wipe whether phone and values are deleted from a final message
 */
export async function claimMessages(
  db: Db,
  { wipe, ...claim }: ClaimMessages & { wipe: boolean },
): Promise<Claim> {
  const values = [...parametersOf(claim), wipe];
  const rows = await queryNamed<Row>(db, 'claim-messages', CLAIM, values);
  const claimed: ClaimedMessage[] = [];
  const refused: RefusedMessage[] = [];
  for (const { refusal, more: _more, ...message } of rows) {
    if (message.id === null) continue;
    if (refusal === null) claimed.push(message);
    else refused.push({ id: message.id, template: message.template, refusal });
  }
  return { claimed, refused, more: rows[0]?.more ?? false };
}

/** A message of a job. */
export interface NewMessage {
  /** Id of the job. */
  id: string;
  /** The request from outside that caused it. */
  requestId: string | undefined;
  /** The span that stores it; undefined while traces are off. */
  traceparent: string | undefined;
  job: SendMessage;
}

/**
 * Stores messages, except those that already exist: this is the notifier's inbox. The same statement claims
 * messages whose wholesaler has no older due message; the limit is divided among the wholesalers, and the
 * budgets are those of claimMessages. All others are pending, also messages to a number that no code has
 * proved, and messages over a budget of their phone, which claimMessages fails.
 * @returns the claimed ones
 */
export async function insertMessages(
  db: Db,
  messages: NewMessage[],
  claim: ClaimMessages,
): Promise<ClaimedMessage[]> {
  const rows = await queryNamed<
    Pick<ClaimedMessage, 'id' | 'channel' | 'startedAt' | 'validSeconds'>
  >(db, 'insert-messages', INSERT, [
    ...parametersOf(claim),
    JSON.stringify(messages.map(({ job, ...message }) => Object.assign({}, job, message))),
  ]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rows.flatMap((row) => {
    const message = byId.get(row.id);
    return message === undefined ? [] : [{ ...claimedAtFirst(message), ...row }];
  });
}

/** The fields of a claimed message that its job has. */
function claimedAtFirst({ id, requestId, traceparent, job }: NewMessage) {
  const { subjectId, template, sealed } = job;
  return {
    id,
    subjectId,
    template,
    sealed: Buffer.from(sealed, 'base64'),
    requestId: requestId ?? null,
    traceparent: traceparent ?? null,
    attempt: 1,
    waitedBehindCap: false,
  };
}

function parametersOf({ claimId, provider, limit, ...budgets }: ClaimMessages): unknown[] {
  return [provider, CLAIM_SECONDS, limit, ...budgetParameters(budgets), claimId];
}

/** How long a number is remembered that WhatsApp does not know. */
export const WITHOUT_WHATSAPP_DAYS = 30;
/** The `status_reason` of a message that waits for the budget of unknown numbers. */
const WAITS_FOR_BUDGET = 'unknown-number-budget';
/** How many messages a claim looks at for each wholesaler that has any due. */
const SHARE = `ceil($3::numeric / (SELECT count(*) FROM open))::bigint`;
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
    -- An equal share for each wholesaler, so that none waits for the thousands of another. If there are more
    -- wholesalers than places, they are drawn at random: the oldest messages may all be of one wholesaler.
    SELECT first.id, open.wholesaler_id
      FROM open CROSS JOIN LATERAL (
        SELECT id, row_number() OVER (ORDER BY next_attempt_at, id) AS place FROM messages
         WHERE status = 'pending' AND ${QUEUE_ID} = open.wholesaler_id
           AND next_attempt_at <= now() AND expires_at > now()
         ORDER BY next_attempt_at, id
         LIMIT least(open.room, ${SHARE})) first
     ORDER BY first.place, random() LIMIT $3
  ), ${decideWithinBudgets(`
    SELECT locked.id, phone_index, locked.wholesaler_id, template, next_attempt_at
      FROM (SELECT id FROM candidates
             WHERE wholesaler_id IN (SELECT wholesaler_id FROM wholesalers) OFFSET 0) first,
           -- OFFSET 0: each message is looked up by its id, and not among all that are pending.
           LATERAL (
             SELECT id, phone_index, ${QUEUE_ID} AS wholesaler_id, template, status, next_attempt_at
               FROM messages WHERE id = first.id OFFSET 0
                FOR UPDATE SKIP LOCKED) locked
     WHERE status = 'pending' AND next_attempt_at <= now()`)}
  ), updated AS (
    UPDATE messages
       SET status = CASE WHEN refusal IS NULL THEN 'sending' ELSE 'failed' END,
           status_reason = refusal,
           attempts = attempts + (refusal IS NULL)::integer,
           attempted_at = CASE WHEN refusal IS NULL THEN now() ELSE attempted_at END,
           provider = CASE WHEN refusal IS NULL THEN $1 ELSE provider END,
           claimed_until = CASE WHEN refusal IS NULL THEN now() + make_interval(secs => $2) END,
           claim_id = CASE WHEN refusal IS NULL THEN $7::uuid END,
           -- Beyond a budget an SMS is not sent either.
           sms_at = CASE WHEN sms_at IS NOT NULL AND refusal IS NULL THEN ${lateAt('now()')} END,
           sealed = CASE WHEN $8 AND refusal IS NOT NULL THEN NULL ELSE sealed END,
           updated_at = now()
      FROM decided
     WHERE messages.id = decided.id AND ${oneByOne('decided.id')}
    RETURNING messages.id, subject_id AS "subjectId", template, channel, sealed,
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

// Rows are inserted in the order of their ids, so that two processes with the same jobs do not deadlock.
const INSERT = `
  WITH message AS MATERIALIZED (
    SELECT id, template, "wholesalerId" AS wholesaler_id, "subjectId" AS subject_id,
           "verificationId" AS verification_id, "requestId" AS request_id, traceparent,
           decode("phoneIndex", 'base64') AS phone_index, "phoneMasked" AS phone_masked,
           decode(sealed, 'base64') AS sealed, "expiresAt" AS expires_at,
           "unprovenBy" AS unproven_by,
           CASE WHEN "byWhatsapp" AND NOT EXISTS (
             SELECT FROM numbers_without_whatsapp
              WHERE phone_index = decode("phoneIndex", 'base64')
                AND found_at > now() - interval '${WITHOUT_WHATSAPP_DAYS} days' OFFSET 0)
           THEN 'whatsapp' END AS channel
      FROM json_to_recordset($8::json) AS job
        (id uuid, template text, "wholesalerId" uuid, "subjectId" uuid, "verificationId" uuid,
         "requestId" text, traceparent text, "phoneIndex" text, "phoneMasked" text, sealed text,
         "expiresAt" timestamptz, "unprovenBy" uuid, "byWhatsapp" boolean)
  ), in_turn AS (
    -- Wholesalers without an earlier message that is due.
    SELECT wholesaler_id FROM (SELECT DISTINCT ${QUEUE_ID} AS wholesaler_id FROM message) owner
     WHERE NOT EXISTS (
       SELECT FROM messages
        WHERE status = 'pending' AND ${QUEUE_ID} = owner.wholesaler_id AND next_attempt_at <= now()
        -- Without an order, a plan for a new table may read all pending messages.
        ORDER BY next_attempt_at LIMIT 1 OFFSET 0)
  ), candidates AS MATERIALIZED (
    SELECT id, wholesaler_id
      FROM (SELECT id, ${QUEUE_ID} AS wholesaler_id,
                   row_number() OVER (PARTITION BY wholesaler_id ORDER BY id) AS place
              FROM message
             WHERE expires_at > now() AND unproven_by IS NULL
               AND NOT EXISTS (SELECT FROM messages WHERE messages.id = message.id OFFSET 0)) fresh
     WHERE wholesaler_id IN (SELECT wholesaler_id FROM in_turn)
     ORDER BY place, id LIMIT $3
  ), ${decideWithinBudgets(`
    SELECT id, phone_index, candidates.wholesaler_id, template, now() AS next_attempt_at
      FROM message JOIN candidates USING (id)
     WHERE candidates.wholesaler_id IN (SELECT wholesaler_id FROM wholesalers)`)}
  ), stored AS (
    INSERT INTO messages
      (id, template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
       phone_index, phone_masked, sealed, expires_at, unproven_by, channel, sms_at, status_reason,
       next_attempt_at, status, attempts, attempted_at, provider, claimed_until, claim_id)
    SELECT id, template, wholesaler_id, subject_id, verification_id, request_id, traceparent,
           phone_index, phone_masked, sealed, expires_at, unproven_by, channel,
           CASE WHEN channel IS NOT NULL THEN ${lateAt('now()')} END,
           CASE WHEN unproven_by IS NOT NULL THEN '${WAITS_FOR_BUDGET}' END,
           -- It is not due before it is released.
           CASE WHEN unproven_by IS NULL THEN now() ELSE expires_at END,
           CASE WHEN is_claimed THEN 'sending' ELSE 'pending' END,
           is_claimed::integer,
           CASE WHEN is_claimed THEN now() END,
           CASE WHEN is_claimed THEN $1 END,
           CASE WHEN is_claimed THEN now() + make_interval(secs => $2) END,
           CASE WHEN is_claimed THEN $7::uuid END
      FROM (SELECT *, id IN (SELECT id FROM decided WHERE refusal IS NULL) AS is_claimed
              FROM message) one
     ORDER BY id
    ON CONFLICT (id) DO NOTHING
    RETURNING id, channel, status, now() AS "startedAt",
              EXTRACT(EPOCH FROM expires_at - now())::float8 AS "validSeconds"
  )
  SELECT id, channel, "startedAt", "validSeconds" FROM stored WHERE status = 'sending'`;
