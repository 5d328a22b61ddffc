import {
  MAX_CHECKS,
  MAX_WRONG_CODES,
  WRONG_CODES_WINDOW_MS,
} from '@fiado/contracts/verification-rules';
import type { Db } from '../db/database';
import { inAskedOrder, queryNamed } from '../db/query';
import { NOT_LOCKED } from '../lanes/lane';
import type { CheckCount, CheckToCount, CountCheck } from './verifications';

/**
 * Where checks of codes are counted. In its SQL $6 is MAX_CHECKS, and `wrong` the number of wrong
 * codes of the check (0 or 1).
 */
export interface CheckBudget {
  /** Of a verification: whether its code may still be checked. */
  hasChecksLeft: string;
  /** Column of the wrong codes that were given for its code. */
  checks: 'checks' | 'page_checks';
  /** Of a verification with checks left: whether a wrong code may still be counted. Always by default. */
  mayBeWrong?: string;
  /** Assignments that count a wrong code in the verification. */
  count: string;
  /** Where the customer's wrong codes are counted. */
  column: 'wrong_codes' | 'page_wrong_codes';
  /** Wrong codes of the customer in WRONG_CODES_WINDOW_MS. */
  maxWrongCodes: number;
}

/** Counts each check in the verification and in the customer's budget, or in neither. */
export function countCheckIn(budget: CheckBudget, db: Db): CountCheck {
  const statement = statementOf(budget, { waits: true });
  return async (check) => {
    const [count] = await countIn(budget, db, statement, [check]);
    return outcomeOf(count);
  };
}

/**
 * The checks that come through the API: five for each code, and twenty wrong ones in a day for each
 * wholesaler and corner store, which neither a resend nor a new order resets. Both services that have
 * verifications have the wholesalers' customers in their schema.
 */
const API_BUDGET: CheckBudget = {
  hasChecksLeft: 'checks < $6',
  checks: 'checks',
  count: 'checks = checks + wrong',
  column: 'wrong_codes',
  maxWrongCodes: MAX_WRONG_CODES,
};

/** Counts checks that come through the API, one at a time. */
export function countApiCheck(db: Db): CountCheck {
  return countCheckIn(API_BUDGET, db);
}

/**
 * Counts many such checks, in one statement with its own commit. They are of different verifications
 * and customers. Waits for no lock: a check whose verification or customer another database
 * transaction has is not locked, and not counted.
 * @returns an outcome for each check, in their order
 */
export async function countApiChecks(
  db: Db,
  checks: CheckToCount[],
): Promise<Array<CheckCount | typeof NOT_LOCKED>> {
  const counts = await countIn(API_BUDGET, db, COUNT_API_CHECKS, checks);
  return counts.map((count) => (count?.isLocked === true ? outcomeOf(count) : NOT_LOCKED));
}

/** The answer of the statement for a check. */
interface CountedCheck {
  isLocked: boolean;
  isValid: boolean;
  /** Of the code, with this one; null if it was not counted. */
  checks: number | null;
}

function outcomeOf(count: CountedCheck | undefined): CheckCount {
  if (count?.isValid !== true) return { outcome: 'not-valid' };
  if (count.checks === null) return { outcome: 'refused' };
  return { outcome: 'counted', checksLeft: MAX_CHECKS - count.checks };
}

async function countIn(
  { maxWrongCodes }: CheckBudget,
  db: Db,
  { name, text }: Statement,
  checks: CheckToCount[],
): Promise<Array<CountedCheck | undefined>> {
  const rows = await queryNamed<CountedCheck & { at: number }>(db, name, text, [
    checks.map(({ verificationId }) => verificationId),
    checks.map(({ salt }) => salt),
    checks.map(({ wholesalerId }) => wholesalerId),
    checks.map(({ cornerStoreId }) => cornerStoreId),
    checks.map(({ isWrong }) => (isWrong ? 1 : 0)),
    MAX_CHECKS,
    maxWrongCodes,
    WRONG_CODES_WINDOW_MS,
  ]);
  return inAskedOrder(checks, rows);
}

interface Statement {
  name: string;
  text: string;
}

/**
 * The statement that counts checks.
 * @param waits whether a check waits for locks of others. Without, what is locked is left out.
 */
function statementOf(budget: CheckBudget, { waits }: { waits: boolean }): Statement {
  const { hasChecksLeft, checks, mayBeWrong = 'true', count, column } = budget;
  const inWindow = `${column}_since > now() - make_interval(secs => $8::float / 1000)`;
  const text = `
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::uuid[], $5::integer[])
    WITH ORDINALITY AS asked(verification_id, salt, wholesaler_id, corner_store_id, wrong, at)
),
verification AS MATERIALIZED (
  -- Order of locks: verification before customer. Parallel checks wait here, and look again.
  SELECT id, code_salt, ${mayBeWrong} AS may_be_wrong,
         status = 'pending' AND expires_at > now() AND ${hasChecksLeft} AS is_valid
    FROM verifications WHERE id = ANY($1::uuid[])
   ORDER BY id
     FOR UPDATE${waits ? '' : ' SKIP LOCKED'}
),
valid AS MATERIALIZED (
  SELECT asked.*, may_be_wrong
    FROM asked JOIN verification ON verification.id = asked.verification_id
   WHERE is_valid AND code_salt = asked.salt
),${waits ? '' : CUSTOMER_LOCKED}
budget AS (
  -- The window begins with its first wrong code.
  UPDATE customers
     SET ${column} = wrong + CASE WHEN ${inWindow} THEN ${column} ELSE 0 END,
         ${column}_since = CASE WHEN ${inWindow} THEN ${column}_since WHEN wrong > 0 THEN now() END
    FROM valid${waits ? '' : ' JOIN customer_locked ON customer_locked.at = valid.at'}
   WHERE customers.wholesaler_id = valid.wholesaler_id
     AND customers.corner_store_id = valid.corner_store_id
     AND may_be_wrong AND (${column} < $7 OR NOT ${inWindow})
  RETURNING valid.at, verification_id, wrong
),
counted AS (
  UPDATE verifications SET ${count} FROM budget WHERE id = verification_id
  RETURNING at, ${checks} AS checks
)
SELECT asked.at, valid.at IS NOT NULL AS "isValid", counted.checks,
       ${waits ? 'true' : '(NOT is_valid OR code_salt <> asked.salt OR customer_locked.at IS NOT NULL) IS TRUE'} AS "isLocked"
  FROM asked LEFT JOIN verification ON verification.id = asked.verification_id
  LEFT JOIN valid ON valid.at = asked.at
  LEFT JOIN counted ON counted.at = asked.at${waits ? '' : ' LEFT JOIN customer_locked ON customer_locked.at = asked.at'}`;
  return { name: `count-${checks}${waits ? '-alone' : ''}`, text };
}

const CUSTOMER_LOCKED = `
customer_locked AS MATERIALIZED (
  SELECT valid.at
    FROM valid,
         LATERAL (SELECT FROM customers
                   WHERE customers.wholesaler_id = valid.wholesaler_id
                     AND customers.corner_store_id = valid.corner_store_id
                  OFFSET 0 FOR NO KEY UPDATE SKIP LOCKED) customer
),`;

const COUNT_API_CHECKS = statementOf(API_BUDGET, { waits: false });
