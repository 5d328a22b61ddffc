import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { countAccountLinks, insertAccountLink } from '../db/account-links.repository';
import { lockUser } from '../db/corner-stores.repository';
import { KYC_LINK_LIFE_MS } from '../domain/kyc-link';
import { newSecretToken } from '../domain/secret-token';

/** Of one user by one wholesaler: more would be more guesses at its codes. */
const MAX_LINKS_PER_DAY = 5;

/**
 * Creates a link to the account page of a user, valid for a day. Only the hash of its token is
 * stored. A code by SMS to the user's phone opens the page.
 * @throws AppError USER_NOT_FOUND, TOO_MANY_ATTEMPTS after five links in a day
 */
export async function createAccountLink(
  context: Context,
  { wholesalerId, userId }: { wholesalerId: string; userId: string },
  answerOf: StoreAnswer<{ accountLink: string }>,
): Promise<{ accountLink: string }> {
  const { token, tokenHash } = newSecretToken();
  const accountLink = `${context.config.PUBLIC_URL.replace(/\/+$/, '')}/cuenta/${token}`;
  return answerInTransaction(context, answerOf, async (tx) => {
    // Locked, so that parallel calls are counted.
    const user = await lockUser(tx, wholesalerId, userId);
    if (user === undefined) throw new AppError('USER_NOT_FOUND');
    if ((await countAccountLinks(tx, { userId, wholesalerId })) >= MAX_LINKS_PER_DAY) {
      throw new AppError('TOO_MANY_ATTEMPTS', {
        message: 'Too many account links of this user were created today',
      });
    }
    const lifeMs = KYC_LINK_LIFE_MS;
    await insertAccountLink(tx, { id: newId(), userId, wholesalerId, tokenHash, lifeMs });
    return { accountLink };
  });
}
