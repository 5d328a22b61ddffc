import { query, type Db } from '@fiado/shared/chassis/db/query';
import type { TransactionDelivered } from '@fiado/shared/contracts/jobs/transaction-delivered';

/**
 * The debt of a delivered transaction, as in its event.
 * @returns undefined for an unknown or foreign transaction; delivered: null before delivery
 */
export async function findDelivered(
  db: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<{ delivered: TransactionDelivered | null } | undefined> {
  const [row] = await query<DeliveredRow>(
    db,
    `SELECT t.id AS "transactionId", t.wholesaler_id AS "wholesalerId",
            t.corner_store_id AS "cornerStoreId", t.user_id AS "userId",
            customer.external_id AS "externalId", t.amount_cents AS "principalCents",
            t.interest_cents AS "interestCents", t.iva_cents AS "ivaCents",
            t.payment_due_at AS "dueAt", t.delivered_at AS "deliveredAt"
       FROM transactions t JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE t.id = $1 AND t.wholesaler_id = $2`,
    [transactionId, wholesalerId],
  );
  if (row === undefined) return undefined;
  const { deliveredAt, dueAt, ...debt } = row;
  if (deliveredAt === null) return { delivered: null };
  return {
    delivered: { ...debt, dueAt: dueAt.toISOString(), deliveredAt: deliveredAt.toISOString() },
  };
}

interface DeliveredRow extends Omit<TransactionDelivered, 'dueAt' | 'deliveredAt'> {
  dueAt: Date;
  deliveredAt: Date | null;
}
