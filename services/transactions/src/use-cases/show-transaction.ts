import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findEntriesOfTransaction, type CreditEntry } from '../db/credit-entries.repository';
import { findInvoice, type Invoice } from '../db/invoices.repository';
import {
  findDeliveryWordState,
  findOpsTransaction,
  type DeliveryWordState,
  type OpsTransactionDetail,
} from '../db/ops-transactions.repository';
import { findVerification, type StoredVerification } from '../db/transaction-views.repository';
import { MAX_WRONG_WORDS_IN_ALL } from '../domain/delivery-word';

export interface ShownTransaction {
  transaction: OpsTransactionDetail;
  /** Undefined for a transaction that needs no confirmation. */
  verification: StoredVerification | undefined;
  deliveryWord: (DeliveryWordState & { isLocked: boolean }) | undefined;
  creditEntries: CreditEntry[];
  invoice: Invoice | undefined;
}

/**
 * All that ops may know of an order: never its code or its word.
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function showTransaction(
  { db }: Pick<Context, 'db'>,
  { transactionId }: { transactionId: string },
): Promise<ShownTransaction> {
  const transaction = await findOpsTransaction(db, transactionId);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  const [verification, word, creditEntries, invoice] = await Promise.all([
    findVerification(db, transactionId),
    findDeliveryWordState(db, transactionId),
    findEntriesOfTransaction(db, transaction),
    findInvoice(db, transactionId),
  ]);
  const deliveryWord = word && {
    ...word,
    isLocked: word.wrongChecksInAll >= MAX_WRONG_WORDS_IN_ALL,
  };
  return { transaction, verification, deliveryWord, creditEntries, invoice };
}
