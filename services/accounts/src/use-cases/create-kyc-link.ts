import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { insertLink } from '../db/kyc-links.repository';
import { findVerification } from '../db/verifications.repository';
import { KYC_LINK_LIFE_MS } from '../domain/kyc-link';
import { newSecretToken } from '../domain/secret-token';

export interface CreateKycLink {
  wholesalerId: string;
  userId: string;
  verificationId: string;
}

/**
 * Creates a link to the identity check of a user, valid for a day. Only the hash of its token is
 * stored.
 * @throws AppError USER_NOT_FOUND, VERIFICATION_NOT_FOUND
 */
export async function createKycLink(
  context: Context,
  { wholesalerId, userId, verificationId }: CreateKycLink,
  answerOf: StoreAnswer<{ kycLink: string }>,
): Promise<{ kycLink: string }> {
  const found = await findVerification(context.db, wholesalerId, { userId, verificationId });
  if (found === undefined) throw new AppError('USER_NOT_FOUND');
  if (!found.verificationKnown) throw new AppError('VERIFICATION_NOT_FOUND');

  const { token, tokenHash } = newSecretToken();
  // The provider is called outside the database transaction; a link without a row opens nothing.
  const expiresAt = new Date(context.clock.now().getTime() + KYC_LINK_LIFE_MS);
  const kycLink = await context.kycProvider.createLink({ token, expiresAt });
  return answerInTransaction(context, answerOf, async (tx) => {
    await insertLink(tx, { id: newId(), verificationId, tokenHash, lifeMs: KYC_LINK_LIFE_MS });
    return { kycLink };
  });
}
