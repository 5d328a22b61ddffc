import { shareOf } from '@fiado/contracts/money';
import { passOf } from '@fiado/chassis/verification/code';
import { checkCode } from '@fiado/chassis/verification/verifications';
import type { Context } from '../context';
import { countPageCheck } from '../db/count-page-check';
import { findTransactionView, type TransactionView } from '../db/transaction-views.repository';
import { requireLinked } from '../db/links.repository';
import { priceOf } from '../domain/pricing';
import { requireUnconfirmed } from '../steps/put-on-hold';

export interface CheckedOrder {
  pass: string;
  transaction: TransactionView;
  paymentTermDays: number;
  /** Amount, interests and IVA together, if as much is delivered as the wholesaler may. */
  maximumTotalCents: number;
}

/**
 * Checks the code on the page behind a link. Only now the page shows the order, which the pass
 * accepts.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_VERIFIED, VERIFICATION_NOT_VALID,
 * TOO_MANY_ATTEMPTS after too many wrong codes on the page
 */
export async function checkLinkCode(
  context: Context,
  { transactionId, code }: { transactionId: string; code: string },
): Promise<CheckedOrder> {
  const { db, config } = context;
  const linked = await requireLinked(db, transactionId);
  const { wholesalerId, verificationId, cornerStoreId } = linked;
  await requireUnconfirmed(context, { wholesalerId, transactionId, verificationId });
  const salt = await checkCode(
    db,
    config,
    { wholesalerId, verificationId, code },
    countPageCheck(db, cornerStoreId),
  );
  const transaction = await findTransactionView(db, wholesalerId, { transactionId });
  if (transaction === undefined) throw new Error('An order that has a link must be found');
  const mostCents = linked.amountCents + shareOf(linked.amountCents, linked.deliveryOverageRate);
  const most = priceOf(mostCents, linked);
  return {
    pass: passOf(config.CODE_PEPPER, verificationId, salt),
    transaction,
    paymentTermDays: linked.paymentTermDays,
    maximumTotalCents: mostCents + most.interestCents + most.ivaCents,
  };
}
