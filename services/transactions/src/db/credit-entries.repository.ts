import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';

export const CREDIT_ENTRY_KINDS = [
  'hold',
  'adjustment',
  'release',
  'repayment',
  'reversal',
] as const;

/** One change of what a credit line has used. */
export interface CreditEntry {
  id: string;
  transactionId: string;
  kind: (typeof CREDIT_ENTRY_KINDS)[number];
  /** Negative where credit became free. */
  amountCents: number;
  /** The payment behind it; null where the transaction itself caused it. */
  causeId: string | null;
  createdAt: Date;
}

/** Entries of one order that are shown; one has a few, and one more for each payment. */
const MAX_OF_TRANSACTION = 200;

/** The entries of an order, oldest first. */
export function findEntriesOfTransaction(
  db: Db,
  {
    id,
    cornerStoreId,
    createdAt,
  }: Pick<CreditEntry, 'id' | 'createdAt'> & { cornerStoreId: string },
): Promise<CreditEntry[]> {
  return query<CreditEntry>(
    db,
    `SELECT id, transaction_id, kind, amount_cents, cause_id, created_at
       FROM credit_entries
      -- The index has the line and the time; none of its entries is older than the order.
      WHERE corner_store_id = $1 AND created_at >= $2 AND transaction_id = $3
      ORDER BY created_at, id LIMIT ${MAX_OF_TRANSACTION}`,
    [cornerStoreId, createdAt, id],
  );
}

/**
 * The entries of a corner store's line, newest first.
 * @param cursor id of the last entry of the page before
 */
export function findCreditEntries(
  db: Db,
  {
    cornerStoreId,
    cursor,
    limit,
  }: { cornerStoreId: string; cursor: string | undefined; limit: number },
): Promise<CreditEntry[]> {
  return query<CreditEntry>(
    db,
    `SELECT id, transaction_id, kind, amount_cents, cause_id, created_at
       FROM credit_entries
      WHERE corner_store_id = $1
        AND ($2::uuid IS NULL OR (created_at, id) <
              (SELECT last.created_at, last.id FROM credit_entries last WHERE last.id = $2))
      ORDER BY created_at DESC, id DESC LIMIT $3`,
    [cornerStoreId, cursor ?? null, limit],
  );
}

/** What a credit line may hold and has used, in cents; undefined for a store without a line. */
export function findCreditLine(
  db: Db,
  cornerStoreId: string,
): Promise<{ limitCents: number; usedCents: number } | undefined> {
  return queryRow<{ limitCents: number; usedCents: number }>(
    db,
    'SELECT limit_cents, used_cents FROM credit_lines WHERE corner_store_id = $1',
    [cornerStoreId],
  );
}
