import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { AppError } from '@fiado/contracts/errors';
import { pageOf } from '@fiado/contracts/page';
import type { Context } from '../context';
import {
  findCreditEntries,
  findCreditLine,
  type CreditEntry,
} from '../db/credit-entries.repository';

export interface ListCreditEntries {
  cornerStoreId: string;
  cursor: string | undefined;
  limit: number;
}

export interface CreditEntryPage {
  /** In cents. */
  line: { limitCents: number; usedCents: number };
  page: CreditEntry[];
  nextCursor: string | null;
}

/**
 * A page of the ledger of a corner store's credit line, newest first.
 * @throws AppError CORNER_STORE_NOT_FOUND for a store without a line
 */
export async function listCreditEntries(
  { db }: Pick<Context, 'db'>,
  { cornerStoreId, cursor, limit }: ListCreditEntries,
): Promise<CreditEntryPage> {
  const line = await findCreditLine(db, cornerStoreId);
  if (line === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
  await requireCursor(db, cursor, 'credit_entries', { corner_store_id: cornerStoreId });
  const found = await findCreditEntries(db, { cornerStoreId, cursor, limit: limit + 1 });
  return { line, ...pageOf(found, limit, ({ id }) => id) };
}
