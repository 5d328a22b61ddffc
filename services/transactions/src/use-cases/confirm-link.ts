import type { ConfirmedLink } from '@fiado/shared/contracts/links';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import { findLinkedTransaction } from '../db/links.repository';
import { confirmTransaction } from './confirm-transaction';

/**
 * Confirms an order on the page behind its link. Only now the page shows the order.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes on the page
 */
export async function confirmLink(
  context: Context,
  transactionId: string,
  code: string,
): Promise<ConfirmedLink> {
  const linked = await findLinkedTransaction(context.db, transactionId);
  if (linked === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  const { wholesalerId, verificationId } = linked;
  await confirmTransaction(
    context,
    { wholesalerId, transactionId, verificationId, code, typedIn: 'page' },
    () => undefined,
  );
  return { wholesaler: linked.wholesalerName, amountCents: linked.amountCents };
}
