import type { Db } from '../db/database';
import { query, queryOne } from '../db/query';
import { AppError } from '@fiado/contracts/errors';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import * as t from '../openapi/json-schema';

/**
 * Why a code is not accepted. `not-a-code` has not six digits, and is not counted. A code to a phone number that has changed since, and one that a resend
 * has replaced, are `expired`. A verification is `cancelled` by a newer one, and by the end of its
 * order: its cancellation, or its expiry. With `store-not-eligible` the code was right, but the corner
 * store may not buy now; with `phone-held` it is right, but the wholesaler changed the store's phone
 * lately and has confirmed as much as it may with the new number. Both leave the code valid.
 */
const NOT_VALID_REASONS = [
  'wrong',
  'not-a-code',
  'expired',
  'checks-used-up',
  'cancelled',
  'approved',
  'store-not-eligible',
  'phone-held',
] as const;
export type NotValidReason = (typeof NOT_VALID_REASONS)[number];

/** Fields of a VERIFICATION_NOT_VALID beyond its code and message. */
export const notValidFields = t.object('VerificationNotValid', {
  reason: t.field(
    t.oneOf(NOT_VALID_REASONS),
    'Why the code is not accepted. `not-a-code`: the text has not six digits, and no check was used. `expired`: also a code that a resend replaced, or that went ' +
      'to a phone number changed since. `cancelled`: by a newer verification, or because its order ' +
      'was cancelled or has expired. `approved`: it was accepted before. `store-not-eligible`: the ' +
      'code was right, but the corner store is not approved or is in default. `phone-held`: the ' +
      'code was right, but you changed the phone number of the corner store lately, and no more ' +
      'orders fit into 5,000 until the lender clears the hold or a day has passed. After both, ' +
      'order and code stay pending. A resend helps after `expired` and `checks-used-up`',
  ),
  checksLeft: t.field(
    t.count,
    'How often the code may still be tried; 0 unless it was only wrong, `not-a-code`, or right with ' +
      '`store-not-eligible` or `phone-held`',
    4,
  ),
});

/** @param checksLeft of the code: none, unless it was only wrong, is no code or is right */
export function verificationNotValid(reason: NotValidReason, checksLeft = 0): AppError {
  return new AppError('VERIFICATION_NOT_VALID', { fields: { reason, checksLeft } });
}

/** Checks that the code of a verification has left through the API. */
export async function checksLeftOf(db: Db, verificationId: string): Promise<number> {
  const { checks } = await queryOne<{ checks: number }>(
    db,
    'SELECT checks FROM verifications WHERE id = $1',
    [verificationId],
  );
  return MAX_CHECKS - checks;
}

/**
 * The refusal of a code whose check was not counted: its verification is not pending, or the code
 * has expired, was replaced or has no checks left.
 * @param salt of the code
 */
export async function whyNotValid(db: Db, verificationId: string, salt: Buffer): Promise<AppError> {
  const [row] = await query<{ status: string; isExpired: boolean }>(
    db,
    `SELECT status, expires_at <= now() OR code_salt <> $2 AS "isExpired"
       FROM verifications WHERE id = $1`,
    [verificationId, salt],
  );
  if (row === undefined || row.status === 'cancelled') return verificationNotValid('cancelled');
  if (row.status === 'approved') return verificationNotValid('approved');
  return verificationNotValid(row.isExpired ? 'expired' : 'checks-used-up');
}
