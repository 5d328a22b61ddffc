import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import { query, queryOne } from '@fiado/chassis/db/query';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { AppError } from '@fiado/contracts/errors';
import { verificationNotValid } from '@fiado/chassis/verification/not-valid';
import { MAX_CHECKS } from '@fiado/contracts/verification-rules';
import { approve } from '@fiado/chassis/verification/verifications';
import type { Context } from '../context';
import {
  findTransactionToConfirm,
  type ConfirmationIds,
  type TransactionToConfirm,
} from '../db/transactions.repository';
import { onHoldExpiry } from '../domain/expiry';
import { awaitsConfirmation, isAbandoned } from '../domain/transaction-status';
import { drawDeliveryWord } from './delivery-word-message';
import { fitsPhoneHold } from './fits-phone-hold';
import { refreshCreditTerms } from './refresh-credit-terms';

/**
 * The transaction of a verification, if it still waits for its code.
 * @throws AppError TRANSACTION_NOT_FOUND, VERIFICATION_NOT_FOUND, TRANSACTION_IS_VERIFIED,
 *   VERIFICATION_NOT_VALID
 */
export async function requireUnconfirmed(
  { db }: Context,
  ids: ConfirmationIds,
): Promise<TransactionToConfirm> {
  const transaction = await findTransactionToConfirm(db, ids);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.verificationId === null) throw new AppError('VERIFICATION_NOT_FOUND');
  if (isAbandoned(transaction.status)) throw verificationNotValid('cancelled');
  if (!awaitsConfirmation(transaction.status)) throw new AppError('TRANSACTION_IS_VERIFIED');
  if (transaction.codeIsVoid) throw verificationNotValid('expired');
  return transaction;
}

/** An order whose code was right. */
export interface OrderToHold {
  transaction: TransactionToConfirm;
  ids: ConfirmationIds;
  /** Of the code that was right. */
  salt: Buffer;
}

/**
 * Confirms an order in `work`'s database transaction. If its store may not buy, it calls accounts,
 * outside any database transaction, and tries once more with the order as it is then.
 * @param work calls putOnHold
 */
export async function confirmOnFreshTerms<Result>(
  context: Context,
  { transaction, ids }: { transaction: TransactionToConfirm; ids: ConfirmationIds },
  work: (transaction: TransactionToConfirm) => Promise<Result>,
): Promise<Result> {
  return work(transaction).catch(async (error: unknown) => {
    if (!(error instanceof MayNotBuyNow)) throw error;
    const { wholesalerId, cornerStoreId } = transaction;
    // accounts is unavailable: the local copy decides.
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [cornerStoreId] }).catch(
      () => {},
    );
    return work(await requireUnconfirmed(context, ids));
  });
}

/**
 * Puts an order on hold after its code was right, and sends the delivery word.
 * @throws AppError VERIFICATION_NOT_VALID when the code is no longer valid, or its store may not buy
 *   now; TRANSACTION_IS_VERIFIED
 */
export async function putOnHold(
  context: Context,
  tx: Transaction,
  { transaction, ids, salt }: OrderToHold,
): Promise<void> {
  const [line] = await query<{ mayBuy: boolean }>(tx, MOVE_TO_ON_HOLD, [
    transaction.id,
    onHoldExpiry(transaction.createdAt, transaction.deliveryDate),
  ]);
  if (line === undefined) throw await whyNotAny(tx, ids);
  const refusal = line.mayBuy
    ? !(await fitsPhoneHold(tx, transaction)) && 'phone-held'
    : 'store-not-eligible';
  if (refusal !== false) {
    throw new MayNotBuyNow(refusal, await checksLeftOf(tx, ids.verificationId));
  }
  await approve(tx, ids.verificationId, salt);
  if (transaction.deliveryWordEnabled) await issueWord(context, tx, transaction);
}

/** The order's row first, then its line: the same order of locks everywhere. */
const MOVE_TO_ON_HOLD = `
WITH moved AS (
  UPDATE transactions SET status = 'on-hold', version = version + 1, expires_at = $2
   WHERE id = $1 AND status = 'pending-verification' RETURNING corner_store_id
)
-- The lock waits for a rejection or a default that is being written, and then reads what it left.
SELECT line.status = 'approved' AND NOT line.overdue AS "mayBuy"
  FROM moved JOIN credit_lines line USING (corner_store_id) FOR NO KEY UPDATE OF line`;

/**
 * The store was rejected or is in default since its order was made, or its phone was changed and no
 * further order fits the hold. Order and code stay pending.
 */
class MayNotBuyNow extends AppError {
  constructor(reason: 'store-not-eligible' | 'phone-held', checksLeft: number) {
    super('VERIFICATION_NOT_VALID', { fields: { reason, checksLeft } });
  }
}

async function checksLeftOf(tx: Transaction, verificationId: string): Promise<number> {
  const { checks } = await queryOne<{ checks: number }>(
    tx,
    'SELECT checks FROM verifications WHERE id = $1',
    [verificationId],
  );
  return MAX_CHECKS - checks;
}

async function issueWord(
  context: Context,
  tx: Transaction,
  transaction: TransactionToConfirm,
): Promise<void> {
  const { wordSealed, jobs } = drawDeliveryWord(context, transaction);
  const { id: transactionId, phoneChanges } = transaction;
  await insertRow(tx, 'delivery_words', { transactionId, wordSealed, sends: 1, phoneChanges });
  await appendToOutbox(tx, jobs);
}

/** A concurrent request confirmed it, or it was cancelled or has expired. */
async function whyNotAny(tx: Transaction, ids: ConfirmationIds): Promise<AppError> {
  const now = await findTransactionToConfirm(tx, ids);
  return now === undefined || isAbandoned(now.status)
    ? verificationNotValid('cancelled')
    : new AppError('TRANSACTION_IS_VERIFIED');
}
