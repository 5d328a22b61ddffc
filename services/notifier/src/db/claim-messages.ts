import { query, queryNamed, type Db } from '@fiado/shared/chassis/db/query';
import type { MessageTemplate } from '@fiado/shared/contracts/jobs/send-message';

/** Longer than a call may take; after it the sender is taken for dead, and the message unknown. */
const CLAIM_SECONDS = 30;
/** One claim at a time in the whole house: counting and claiming must be one step. Spells SMSC. */
const CLAIM_LOCK = 0x534d5343;

/** A message that this process alone may send, and only in this attempt. */
export interface ClaimedMessage {
  id: string;
  template: MessageTemplate;
  sealed: Buffer;
  /** The outside request that wants it. */
  requestId: string | null;
  /** Number of the attempt, from 1. */
  attempt: number;
  startedAt: Date;
  /** How long the message is still of use. */
  validSeconds: number;
}

/** Why a due message is not claimed: it failed for good, or waits for the next minute. */
export type CapVerdict = 'phone-cap' | 'wholesaler-cap';

export interface CappedMessage {
  id: string;
  template: MessageTemplate;
  verdict: CapVerdict;
}

export interface ClaimMessages {
  provider: string;
  /** These messages, as far as they are due; without it the longest due ones. */
  messageIds?: string[];
  limit: number;
  /** Messages to one phone in any 24 hours. */
  perPhone: number;
  /** Claims of one wholesaler's messages in a minute of the clock. */
  perWholesaler: number;
  /** Whether a final message forgets its phone and values. */
  wipe: boolean;
}

type Judged = ClaimedMessage & { verdict: CapVerdict | 'claimed' } & Record<string, unknown>;

/** Makes claims wait for each other until the database transaction ends. */
export async function lockClaims(tx: Db): Promise<void> {
  await query(tx, 'SELECT pg_advisory_xact_lock($1)', [CLAIM_LOCK]);
}

/**
 * The point of no return: once this commits, nobody else ever sends this attempt. Takes due
 * messages, the longest due first, and decides on each by the caps; one past its expiry is left to
 * settleLapsed. Only behind lockClaims.
 */
export async function claimMessages(
  tx: Db,
  { provider, messageIds, limit, perPhone, perWholesaler, wipe }: ClaimMessages,
): Promise<{ claimed: ClaimedMessage[]; capped: CappedMessage[] }> {
  const values = [provider, CLAIM_SECONDS, limit, perPhone, perWholesaler, wipe];
  const rows =
    messageIds === undefined
      ? await queryNamed<Judged>(tx, 'claim-due', CLAIM_DUE, values)
      : await queryNamed<Judged>(tx, 'claim-these', CLAIM_THESE, [...values, messageIds]);
  const claimed: ClaimedMessage[] = [];
  const capped: CappedMessage[] = [];
  for (const { verdict, ...row } of rows) {
    if (verdict === 'claimed') claimed.push(row);
    else capped.push({ id: row.id, template: row.template, verdict });
  }
  return { claimed, capped };
}

/** From when the claim's turn came: now() is from before it waited for it. */
const THIS_MINUTE = `date_trunc('minute', statement_timestamp())`;

const JUDGE_AND_CLAIM = `  ), ranked AS (
    -- Its place among the due ones: these count against each other's caps too.
    SELECT *,
           row_number() OVER (PARTITION BY phone_index ORDER BY next_attempt_at, id) AS of_phone,
           row_number() OVER (PARTITION BY wholesaler_id ORDER BY next_attempt_at, id)
             AS of_wholesaler
      FROM due
  ), judged AS (
    SELECT ranked.id, ranked.wholesaler_id,
           CASE
             WHEN to_phone.count + of_phone > $4 THEN 'phone-cap'
             -- A message of no wholesaler is over no such cap.
             WHEN ranked.wholesaler_id IS NOT NULL
              AND COALESCE(so_far.claimed, 0) + of_wholesaler > $5 THEN 'wholesaler-cap'
             ELSE 'claimed'
           END AS verdict
      FROM ranked
      -- Counted as they are claimed: a flood makes no claim slower.
      LEFT JOIN claims_of_minute so_far
        ON so_far.wholesaler_id = ranked.wholesaler_id AND so_far.minute = ${THIS_MINUTE}
      CROSS JOIN LATERAL (
        -- Counting ends at the cap.
        SELECT count(*) FROM (
          SELECT FROM messages
           WHERE phone_index = ranked.phone_index AND attempted_at > now() - interval '1 day'
             AND id NOT IN (SELECT id FROM due)
           LIMIT $4) counted) to_phone
  ), counted AS (
    INSERT INTO claims_of_minute AS so_far (wholesaler_id, minute, claimed)
    SELECT wholesaler_id, ${THIS_MINUTE}, count(*) FROM judged
     WHERE verdict = 'claimed' AND wholesaler_id IS NOT NULL GROUP BY wholesaler_id
    ON CONFLICT (wholesaler_id) DO UPDATE
      SET minute = excluded.minute,
          claimed = excluded.claimed
            + CASE so_far.minute WHEN excluded.minute THEN so_far.claimed ELSE 0 END
  )
  UPDATE messages
     SET status = CASE verdict
           WHEN 'claimed' THEN 'sending' WHEN 'phone-cap' THEN 'failed' ELSE 'pending' END,
         status_reason = CASE WHEN verdict <> 'claimed' THEN verdict END,
         attempts = attempts + (verdict = 'claimed')::integer,
         attempted_at = CASE WHEN verdict = 'claimed' THEN now() ELSE attempted_at END,
         provider = CASE WHEN verdict = 'claimed' THEN $1 ELSE provider END,
         claimed_until =
           CASE WHEN verdict = 'claimed' THEN now() + make_interval(secs => $2) END,
         next_attempt_at = CASE WHEN verdict = 'wholesaler-cap'
           THEN ${THIS_MINUTE} + interval '1 minute' ELSE next_attempt_at END,
         sealed = CASE WHEN $6 AND verdict = 'phone-cap' THEN NULL ELSE sealed END,
         updated_at = now()
    FROM judged
   WHERE messages.id = judged.id
  RETURNING messages.id, template, sealed, request_id AS "requestId", attempts AS attempt,
            now() AS "startedAt",
            EXTRACT(EPOCH FROM expires_at - now())::float8 AS "validSeconds", verdict`;

/** Two statements, as one that serves both has no plan that is good for both. */
const CLAIM_DUE = claimStatement('');
const CLAIM_THESE = claimStatement('AND id = ANY($7::uuid[])');

function claimStatement(which: string): string {
  return `
  WITH due AS (
    SELECT id, phone_index, wholesaler_id, next_attempt_at FROM messages
     WHERE status = 'pending' AND next_attempt_at <= now() AND expires_at > now() ${which}
     ORDER BY next_attempt_at LIMIT $3
     FOR UPDATE SKIP LOCKED
${JUDGE_AND_CLAIM}`;
}
