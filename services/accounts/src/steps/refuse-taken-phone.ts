import type { Db } from '@fiado/chassis/db/database';
import { isUniqueViolation, query } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';

/**
 * Turns the failure of a phone that another user has into the spec's refusal, which names that
 * user (changePhoneNumber). To be called on what a database transaction threw, outside of it.
 */
export async function refuseTakenPhone(
  { db }: Context,
  error: unknown,
  phoneIndex: Buffer,
): Promise<never> {
  if (!isUniqueViolation(error, 'users_phone_index_key')) throw error;
  throw await takenPhoneError(db, phoneIndex, error);
}

/** The refusal of a number that another user has. */
export async function takenPhoneError(
  db: Db,
  phoneIndex: Buffer,
  cause?: unknown,
): Promise<AppError> {
  const [other] = await query<{ id: string }>(db, 'SELECT id FROM users WHERE phone_index = $1', [
    phoneIndex,
  ]);
  return new AppError('PHONE_NUMBER_ALREADY_EXISTS', {
    message: `The phone number is already used by the user ${other?.id ?? 'that had it just now'}`,
    cause,
  });
}
