import {
  MAX_CHECKS,
  MAX_WRONG_CODES,
  WRONG_CODES_WINDOW_MS,
} from '@fiado/contracts/verification-rules';
import type { Db } from '../db/database';
import { query } from '../db/query';
import { type CountCheck, type CountedCheck, outcomeOf } from './verifications';

/**
 * Where checks of codes are counted. In its SQL $1 is the verification, $2 the salt of the code,
 * $3 MAX_CHECKS and $6 the number of wrong codes (0 or 1).
 */
export interface CheckBudget {
  /** Of a verification: whether its code may still be checked. */
  hasChecksLeft: string;
  /** Column of the checks of its code. */
  checks: 'checks' | 'page_checks';
  /** Of such a verification: whether a wrong code may still be counted; without it, always. */
  mayBeWrong?: string;
  /** Assignments that count a check in the verification. */
  count: string;
  /** Where the customer's wrong codes are counted. */
  column: 'wrong_codes' | 'page_wrong_codes';
  /** Wrong codes of the customer in WRONG_CODES_WINDOW_MS. */
  maxWrongCodes: number;
}

/** Counts each check in the verification and in the customer's budget, or in neither. */
export function countCheckIn(budget: CheckBudget, db: Db, cornerStoreId: string): CountCheck {
  const statement = statementOf(budget);
  return async ({ wholesalerId, verificationId, salt, isWrong }) => {
    const [count] = await query<CountedCheck>(db, statement, [
      verificationId,
      salt,
      MAX_CHECKS,
      wholesalerId,
      cornerStoreId,
      isWrong ? 1 : 0,
      budget.maxWrongCodes,
      WRONG_CODES_WINDOW_MS,
    ]);
    return outcomeOf(count);
  };
}

function statementOf(budget: CheckBudget): string {
  const { hasChecksLeft, checks, mayBeWrong = 'true', count, column } = budget;
  return `
WITH verification AS (
  -- Order of locks: verification before customer. Parallel checks wait here, and look again.
  SELECT ${mayBeWrong} AS may_be_wrong FROM verifications
   WHERE id = $1 AND status = 'pending' AND code_salt = $2 AND expires_at > now()
     AND ${hasChecksLeft}
     FOR UPDATE
),
budget AS (
  ${spendCustomerBudget(column)} AND EXISTS (SELECT FROM verification WHERE may_be_wrong)
  RETURNING corner_store_id
),
counted AS (
  UPDATE verifications SET ${count} WHERE id = $1 AND EXISTS (SELECT FROM budget)
  RETURNING ${checks} AS checks
)
SELECT EXISTS (SELECT FROM verification) AS "isValid", (SELECT checks FROM counted) AS checks`;
}

/**
 * SQL that counts $6 wrong codes (0 or 1) for the customer $4 (wholesaler), $5 (corner store), unless
 * $7 were counted in the window of $8 milliseconds; the window begins with its first wrong code. Ends
 * inside its WHERE clause.
 * @param column where they are counted: codes given through the API and on pages are kept apart
 */
function spendCustomerBudget(column: CheckBudget['column']): string {
  const inWindow = `${column}_since > now() - make_interval(secs => $8::float / 1000)`;
  return `
  UPDATE customers
     SET ${column} = $6::integer + CASE WHEN ${inWindow} THEN ${column} ELSE 0 END,
         ${column}_since = CASE WHEN ${inWindow} THEN ${column}_since
                                WHEN $6::integer > 0 THEN now() END
   WHERE wholesaler_id = $4 AND corner_store_id = $5
     AND (${column} < $7 OR NOT ${inWindow})`;
}

/**
 * Counts the checks that come through the API: five for each code, and twenty wrong ones in a day
 * for each wholesaler and corner store, which neither a resend nor a new order resets. Both services
 * that have verifications have the wholesalers' customers in their schema.
 */
export function countApiCheck(db: Db, cornerStoreId: string): CountCheck {
  return countCheckIn(
    {
      hasChecksLeft: 'checks < $3',
      checks: 'checks',
      count: 'checks = checks + 1',
      column: 'wrong_codes',
      maxWrongCodes: MAX_WRONG_CODES,
    },
    db,
    cornerStoreId,
  );
}
