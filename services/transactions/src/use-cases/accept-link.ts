import { AppError } from '@fiado/contracts/errors';
import { isRightPass } from '@fiado/chassis/verification/code';
import type { Context } from '../context';
import { requireLinked } from '../db/links.repository';
import { confirmOnFreshTerms, putOnHold, requireUnconfirmed } from '../steps/put-on-hold';

/**
 * Confirms an order on the page behind its link, with the pass that its owner got for the code.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID when the
 *   code behind the pass has expired or was replaced, or the store may not buy now
 */
export async function acceptLink(
  context: Context,
  { transactionId, pass }: { transactionId: string; pass: string },
): Promise<void> {
  const { db, config, relay } = context;
  const { wholesalerId, verificationId, codeSalt: salt } = await requireLinked(db, transactionId);
  const ids = { wholesalerId, transactionId, verificationId };
  const transaction = await requireUnconfirmed(context, ids);
  if (!isRightPass(config, verificationId, salt, pass)) {
    throw new AppError('VERIFICATION_NOT_VALID');
  }
  await confirmOnFreshTerms(context, { transaction, ids }, (order) =>
    db.transaction((tx) => putOnHold(context, tx, { transaction: order, ids, salt })),
  );
  relay.wake();
}
