import type { CheckAccountCodeQuestion, CheckedAccountCode } from '@fiado/contracts/account-link';
import { AppError } from '@fiado/contracts/errors';
import { isRightCode } from '@fiado/chassis/verification/code';
import type { Context } from '../context';
import { countAccountCheck, findAccountLink } from '../db/account-links.repository';
import { hashOfToken } from '../domain/secret-token';

/**
 * Checks the code of an account link: five checks for each code, ten wrong ones for the link.
 * @throws AppError VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function checkAccountCode(
  { db, config }: Context,
  { token, code }: CheckAccountCodeQuestion,
): Promise<CheckedAccountCode> {
  const link = await findAccountLink(db, hashOfToken(token));
  if (link?.codeSalt == null || link.isToOldPhone) throw new AppError('VERIFICATION_NOT_VALID');
  const { id, codeSalt: salt, userId, wholesalerId, wholesaler } = link;
  const isWrong = !isRightCode(config, id, salt, code);
  const counted = await countAccountCheck(db, { id, salt, isWrong });
  if (counted === 'refused') throw new AppError('TOO_MANY_ATTEMPTS');
  if (!counted || isWrong) throw new AppError('VERIFICATION_NOT_VALID');
  return { userId, wholesalerId, wholesaler };
}
