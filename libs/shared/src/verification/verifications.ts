import { AppError } from '../contracts/errors';
import { query, type Db } from '../chassis/db/query';
import { codeOf, isSameCode, newCodeSalt } from './code';
import { CODE_LIFE_MS, MAX_CHECKS, MAX_SENDS, repeatsCode, type VerificationState } from './rules';

/** A code that is to be sent. */
export interface IssuedCode {
  code: string;
  expiresAt: Date;
}

/**
 * Checks the digits of a pending verification. The check is counted, and committed, before the
 * comparison, so that parallel guesses share the five checks: never call it inside a transaction.
 * @returns the salt of the code that was right, for approve()
 * @throws AppError VERIFICATION_NOT_VALID when wrong, expired, used up or not pending
 */
export async function checkCode(
  db: Db,
  pepper: string,
  verificationId: string,
  code: string,
): Promise<Buffer> {
  const [counted] = await query<{ code_salt: Buffer }>(
    db,
    `UPDATE verifications SET checks = checks + 1
      WHERE id = $1 AND status = 'pending' AND checks < $2 AND expires_at > now()
      RETURNING code_salt`,
    [verificationId, MAX_CHECKS],
  );
  if (counted === undefined) throw new AppError('VERIFICATION_NOT_VALID');
  if (!isSameCode(code, codeOf(pepper, verificationId, counted.code_salt))) {
    throw new AppError('VERIFICATION_NOT_VALID');
  }
  return counted.code_salt;
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
  if (approved.length === 0) throw new AppError('VERIFICATION_NOT_VALID');
}

/**
 * Counts a resend and says which code goes out: the same one while it is good for a while, else a
 * new one with its own life and checks. Locks the verification's row.
 * @param renew always make a new code: the old one went to another phone
 * @throws AppError TOO_MANY_ATTEMPTS after five messages, VERIFICATION_NOT_VALID when not pending
 */
export async function resend(
  tx: Db,
  pepper: string,
  verificationId: string,
  { renew = false } = {},
): Promise<IssuedCode> {
  const [row] = await query<VerificationState & { salt: Buffer; now: Date }>(
    tx,
    `SELECT status, checks, sends, expires_at AS "expiresAt", code_salt AS salt, now() AS now
       FROM verifications WHERE id = $1 FOR UPDATE`,
    [verificationId],
  );
  if (row?.status !== 'pending') throw new AppError('VERIFICATION_NOT_VALID');
  if (row.sends >= MAX_SENDS) throw new AppError('TOO_MANY_ATTEMPTS');

  const repeat = !renew && repeatsCode(row, row.now);
  const salt = repeat ? row.salt : newCodeSalt();
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
