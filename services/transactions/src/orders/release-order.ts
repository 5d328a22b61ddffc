import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { changeUsedCredit } from '../credit-lines/used-credit';
import type { OrderStatus } from './order.rules';

export interface ReleaseOrder {
  transactionId: string;
  /** Only from one of these statuses. */
  from: OrderStatus[];
  to: 'cancelled' | 'expired';
}

/**
 * Ends an order before its delivery: releases its credit, and makes its code and word void.
 * @returns false when the order is not in one of those states (any more)
 */
export async function releaseOrder(
  tx: Transaction,
  { transactionId, from, to }: ReleaseOrder,
): Promise<boolean> {
  const [released] = await query<{ cornerStoreId: string; amountCents: number }>(
    tx,
    `UPDATE transactions SET status = $3, version = version + 1
      WHERE id = $1 AND status = ANY($2)
      RETURNING corner_store_id, amount_cents`,
    [transactionId, from, to],
  );
  if (released === undefined) return false;

  await query(
    tx,
    `WITH verification AS (
       UPDATE verifications SET status = 'cancelled' WHERE transaction_id = $1 AND status = 'pending'
     ), word AS (
       DELETE FROM delivery_words WHERE transaction_id = $1
     )
     UPDATE commissions SET voided_at = now() WHERE transaction_id = $1 AND voided_at IS NULL`,
    [transactionId],
  );
  await changeUsedCredit(tx, {
    cornerStoreId: released.cornerStoreId,
    transactionId,
    kind: 'release',
    amountCents: -released.amountCents,
  });
  return true;
}
