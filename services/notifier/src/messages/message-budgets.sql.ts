import { oneByOne } from '@fiado/chassis/db/query';

/**
 * Budgets of a phone for 24 hours. Order codes go to the registered phone of a customer, and half
 * of each budget is reserved for them.
 */
export interface PhoneBudgets {
  /** All SMS to one phone. */
  perPhone: number;
  /** Most SMS of one wholesaler to the phone, so that the rest is left for the others. */
  perPhoneAndWholesaler: number;
}

/**
 * A query with one row: what a phone got in the last 24 hours, of all wholesalers and of one, with
 * order codes and without. A message that was certainly not sent is pending and not counted.
 * Counting ends at the budget: a flood makes no claim slower.
 * @param sql expressions for the phone's index, the wholesaler and the phone's budget
 */
export function phoneUseQuery(sql: {
  phone: string;
  wholesaler: string;
  perPhone: string;
}): string {
  return `
    SELECT count(*) AS in_all,
           count(*) FILTER (WHERE own) AS own,
           count(*) FILTER (WHERE NOT order_code) AS others,
           count(*) FILTER (WHERE own AND NOT order_code) AS own_others
      FROM (
        SELECT wholesaler_id = ${sql.wholesaler} AS own, template = 'order-code' AS order_code
          FROM messages
         WHERE phone_index = ${sql.phone} AND status <> 'pending'
           AND attempted_at > now() - interval '1 day'
         LIMIT ${sql.perPhone}) counted`;
}

/**
 * An expression: the budget that a further message is over, or NULL. It reads the columns of
 * phoneUseQuery from `used`.
 * @param sql expressions for the message's template and for both budgets
 */
export function overPhoneBudget(sql: {
  template: string;
  perPhone: string;
  perPhoneAndWholesaler: string;
}): string {
  return `
    CASE
      WHEN used.in_all >= ${sql.perPhone} THEN 'phone-cap'
      WHEN used.own >= ${sql.perPhoneAndWholesaler} THEN 'phone-and-wholesaler-cap'
      WHEN ${sql.template} = 'order-code' THEN NULL
      -- At least one, however small the budget is.
      WHEN used.others >= greatest(${sql.perPhone} / 2, 1) THEN 'phone-cap'
      WHEN used.own_others >= greatest(${sql.perPhoneAndWholesaler} / 2, 1)
        THEN 'phone-and-wholesaler-cap'
    END`;
}

const THIS_MINUTE = `date_trunc('minute', now())`;
const NO_WHOLESALER = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** The queue of a message: one for each wholesaler, and one for the messages without a wholesaler. */
export const QUEUE_ID = `coalesce(wholesaler_id, ${NO_WHOLESALER})`;
/** Messages that a wholesaler has claimed in this minute, from its row. */
const CLAIMED = `CASE WHEN minute >= ${THIS_MINUTE} THEN claimed ELSE 0 END`;
/**
 * The rest of a wholesaler's cap, by its row of claims_of_minute; NULL for messages without a
 * wholesaler, which have no cap.
 */
export const ROOM = `CASE WHEN wholesaler_id <> ${NO_WHOLESALER} THEN $6::integer - ${CLAIMED} END`;

/** The budgets of a claim: the parameters $4 to $6 of its statement. */
export interface MessageBudgets extends PhoneBudgets {
  /** Claims of one wholesaler's messages in a minute of the clock. */
  perWholesaler: number;
}

export function budgetParameters(budgets: MessageBudgets): number[] {
  return [budgets.perPhone, budgets.perPhoneAndWholesaler, budgets.perWholesaler];
}

/** Decides on the messages of `due`. */
const DECIDE = `
  seen AS MATERIALIZED (
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
       AND ${oneByOne('decided.phone_index')}`;

/**
 * The parts of a claim that decide on messages: `decided` has those that are claimed, and those that
 * are over a budget of their phone, with it as `refusal`. The others wait: behind their wholesaler's
 * cap, or because another claim has locked their wholesaler or phone.
 *
 * All parts of the statement read one snapshot, which lacks what other claims commit after its start.
 * Two steps keep a cap or a budget from being exceeded all the same. The count of a wholesaler is read
 * from its row of claims_of_minute under a lock, which returns the newest version of the row. The
 * messages of a phone are counted in the snapshot; they are used only if the phone's row of
 * phone_claims, also locked, still has the version of the snapshot. Each claim raises that version.
 *
 * The statement defines `candidates` before, with id and wholesaler_id (that of QUEUE_ID).
 * @param due a query for id, phone_index, wholesaler_id, template and next_attempt_at of the
 *   candidates whose wholesaler is in `wholesalers`: those that are locked
 */
export function decideWithinBudgets(due: string): string {
  return `
  new_wholesalers AS (
    -- The first message of a wholesaler makes its row, and is claimed by the next claim.
    INSERT INTO claims_of_minute (wholesaler_id, minute, claimed)
    SELECT DISTINCT wholesaler_id, ${THIS_MINUTE}, 0 FROM candidates
     WHERE NOT EXISTS (SELECT FROM claims_of_minute
                        WHERE claims_of_minute.wholesaler_id = candidates.wholesaler_id)
     ORDER BY wholesaler_id
    ON CONFLICT DO NOTHING
  ), wholesalers AS (
    SELECT wholesaler_id, full_minute, ${ROOM} AS room FROM claims_of_minute
     WHERE wholesaler_id = ANY (ARRAY (SELECT wholesaler_id FROM candidates))
       FOR UPDATE SKIP LOCKED
  ), due AS (${due}
  ), ${DECIDE}`;
}
