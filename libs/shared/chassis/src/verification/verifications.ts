import type { Db } from '../db/database';
import { AppError } from '@fiado/contracts/errors';
import { query } from '../db/query';
import { codeOf, isRightCode, type CodePeppers } from './code';
import { countCodeCheck } from './code-watch';
import { checksLeftOf, verificationNotValid, whyNotValid } from './not-valid';
import {
  CODE_LIFE_MS,
  MAX_SENDS,
  repeatsCode,
  type VerificationState,
  limitOfADay,
} from '@fiado/contracts/verification-rules';
import { codeIn } from '@fiado/contracts/verification-code';

/** A code that is to be sent. */
export interface IssuedCode {
  code: string;
  expiresAt: Date;
}

/** A verification, and the customer who gives its code. */
interface CheckedVerification {
  wholesalerId: string;
  cornerStoreId: string;
  verificationId: string;
  /** Salt of the code that the given one is compared with. */
  salt: Buffer;
}

/** One try of a code. */
export interface CodeCheck extends CheckedVerification {
  /** As a person typed it. */
  code: string;
  /** No code counts as right. */
  isVoid?: boolean;
}

/** A check whose result is known but not yet returned. */
export interface CheckToCount extends CheckedVerification {
  isWrong: boolean;
}

/**
 * - `counted`: the result of the check may be returned
 * - `not-valid`: the code is expired, used up, renewed or not pending
 * - `refused`: too many wrong codes were given before
 */
export type CheckCount =
  | { outcome: 'counted'; checksLeft: number }
  | { outcome: 'not-valid' }
  | { outcome: 'refused' };

/** Counts a check in Postgres, in one statement with its own commit. */
export type CountCheck = (check: CheckToCount) => Promise<CheckCount>;

/**
 * Checks the digits of a pending verification. The result of the comparison is returned only after the
 * check was counted and committed, so that parallel guesses share the budgets: never call it inside
 * a database transaction. A right code uses no check up, so that of parallel right ones each finds the
 * verification approved. What cannot be a code is not counted.
 * @param countCheck the budgets that the check is counted against
 * @throws AppError VERIFICATION_NOT_VALID when wrong, no code, expired, used up or not pending;
 *   TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function checkCode(
  db: Db,
  peppers: CodePeppers,
  { code, isVoid = false, ...verification }: CodeCheck,
  countCheck: CountCheck,
): Promise<void> {
  const { wholesalerId, verificationId, salt } = verification;
  if (codeIn(code) === undefined) {
    throw verificationNotValid('not-a-code', await checksLeftOf(db, verificationId));
  }
  const isWrong = isVoid || !isRightCode(peppers, verificationId, salt, code);

  const count = await countCheck({ ...verification, isWrong });
  if (count.outcome === 'refused') {
    countCodeCheck(wholesalerId, 'refused');
    throw limitOfADay('Too many wrong codes');
  }
  if (count.outcome === 'not-valid') throw await whyNotValid(db, verificationId, salt);
  countCodeCheck(wholesalerId, isWrong ? 'wrong' : 'right');
  if (isWrong) throw verificationNotValid('wrong', count.checksLeft);
}

/**
 * Approves a verification once: in the database transaction of what the approval brings about.
 * @throws AppError VERIFICATION_NOT_VALID when it was approved, cancelled or renewed meanwhile
 */
export async function approve(tx: Db, verificationId: string, salt: Buffer): Promise<void> {
  const approved = await query(
    tx,
    `UPDATE verifications SET status = 'approved', approved_at = now()
      WHERE id = $1 AND status = 'pending' AND code_salt = $2 AND expires_at > now()
      RETURNING id`,
    [verificationId, salt],
  );
  if (approved.length === 0) throw await whyNotValid(tx, verificationId, salt);
}

/**
 * Counts a resend and returns the code to send: the same one while it is valid long enough, else a
 * new one with its own life and checks. After an exchange of the pepper it is another one, and the one
 * before stays right. Locks the verification's row.
 * @param renew always make a new code: the old one went to another phone
 * @param newSalt of a new code
 * @throws AppError TOO_MANY_ATTEMPTS after five messages, VERIFICATION_NOT_VALID when not pending
 */
export async function resend(
  tx: Db,
  pepper: string,
  verificationId: string,
  { renew = false, newSalt }: { renew?: boolean; newSalt: Buffer },
): Promise<IssuedCode> {
  const [row] = await query<VerificationState & { salt: Buffer; now: Date }>(
    tx,
    `SELECT status, checks, sends, expires_at, code_salt AS salt, now() AS now
       FROM verifications WHERE id = $1 FOR UPDATE`,
    [verificationId],
  );
  if (row?.status !== 'pending') throw new AppError('VERIFICATION_NOT_VALID');
  if (row.sends >= MAX_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');

  const repeat = !renew && repeatsCode(row, row.now);
  const salt = repeat ? row.salt : newSalt;
  const expiresAt = repeat ? row.expiresAt : new Date(row.now.getTime() + CODE_LIFE_MS);
  await query(
    tx,
    `UPDATE verifications
        SET sends = sends + 1, code_salt = $2, expires_at = $3, checks = CASE WHEN $4 THEN checks ELSE 0 END
      WHERE id = $1`,
    [verificationId, salt, expiresAt, repeat],
  );
  return { code: codeOf(pepper, verificationId, salt), expiresAt };
}
