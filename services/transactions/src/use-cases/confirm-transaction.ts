import { answerInTransaction, type StoreAnswer } from '@fiado/chassis/idempotency';
import { countApiCheck } from '@fiado/chassis/verification/count-api-check';
import { checkCode } from '@fiado/chassis/verification/verifications';
import type { Context } from '../context';
import type { ConfirmationIds } from '../db/transactions.repository';
import { confirmOnFreshTerms, putOnHold, requireUnconfirmed } from '../steps/put-on-hold';

export interface ConfirmTransaction extends ConfirmationIds {
  code: string;
}

export interface ConfirmedTransaction {
  verificationId: string;
  verificationStatus: 'approved';
}

/**
 * The store confirms its order with the code (confirmTransaction): the order is on hold from now
 * on, and the delivery word is sent. Of a store that may not buy now, order and code stay pending.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID, TOO_MANY_ATTEMPTS after too many wrong codes
 */
export async function confirmTransaction(
  context: Context,
  { code, ...ids }: ConfirmTransaction,
  answerOf: StoreAnswer<ConfirmedTransaction>,
): Promise<ConfirmedTransaction> {
  const transaction = await requireUnconfirmed(context, ids);
  const salt = await checkCode(
    context.db,
    context.config,
    { ...ids, code },
    countApiCheck(context.db, transaction.cornerStoreId),
  );
  const confirmed = { verificationId: ids.verificationId, verificationStatus: 'approved' } as const;
  return confirmOnFreshTerms(context, { transaction, ids }, (order) =>
    answerInTransaction(context, answerOf, async (tx) => {
      await putOnHold(context, tx, { transaction: order, ids, salt });
      return confirmed;
    }),
  );
}
