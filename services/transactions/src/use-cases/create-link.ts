import type { StoreAnswer } from '@fiado/chassis/idempotency';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { findCornerStoreOf } from '../db/credit-terms.repository';
import {
  createTransaction,
  type CreatedTransaction,
  type CreateTransaction,
} from './create-transaction';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';

export interface CreateLink extends Omit<CreateTransaction, 'cornerStoreId' | 'sendCode'> {
  /** The wholesaler's own name for the corner store. */
  externalId: string;
  /** If given, it must be the same corner store. */
  cornerStoreId: string | undefined;
}

/**
 * An order that the store confirms on a page behind a link (createTransactionLink). It holds the
 * credit as createTransaction does; its code is sent when the page is opened.
 * @throws AppError as createTransaction; CORNER_STORE_NOT_FOUND also for a corner store that is not
 *   the one of that externalId
 */
export async function createLink(
  context: Context,
  { externalId, cornerStoreId, ...command }: CreateLink,
  answerOf: StoreAnswer<CreatedTransaction>,
): Promise<CreatedTransaction> {
  const { wholesalerId } = command;
  let found = await findCornerStoreOf(context.db, wholesalerId, externalId);
  if (found === undefined) {
    await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [], externalId });
    found = await findCornerStoreOf(context.db, wholesalerId, externalId);
  }
  if (found === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
  if (cornerStoreId !== undefined && cornerStoreId !== found) {
    throw new AppError('CORNER_STORE_NOT_FOUND');
  }
  return createTransaction(
    context,
    { ...command, cornerStoreId: found, sendCode: 'when-opened' },
    answerOf,
  );
}
