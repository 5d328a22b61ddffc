import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { deliveredTransactionCall } from '@fiado/contracts/debts';
import { AppError } from '@fiado/contracts/errors';
import type { TransactionDelivered } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';

export const deliveredTransactionEndpoint = internalEndpoint({
  call: deliveredTransactionCall,
  allow: ['service:payments'],
  handle: async ({ db }: Context, { transactionId, wholesalerId }) => {
    const found = await findDelivered(db, wholesalerId, transactionId);
    if (found === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
    return { delivered: found.delivered };
  },
});

const SELECT_DEBT = `
  SELECT t.id AS "transactionId", t.wholesaler_id, t.corner_store_id, t.user_id,
         customer.external_id, t.amount_cents AS "principalCents", t.interest_cents, t.iva_cents,
         t.payment_due_at AS "dueAt", t.payment_due_on::text AS "dueOn",
         t.payment_time_zone AS "timeZone", t.delivered_at
    FROM transactions t JOIN customers customer USING (wholesaler_id, corner_store_id)`;

/**
 * The debt of a delivered order, as in its event.
 * @returns undefined for an unknown or foreign transaction; delivered: null before delivery
 */
export async function findDelivered(
  db: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<{ delivered: TransactionDelivered | null } | undefined> {
  const [row] = await query<DeliveredRow>(
    db,
    `${SELECT_DEBT} WHERE t.id = $1 AND t.wholesaler_id = $2`,
    [transactionId, wholesalerId],
  );
  if (row === undefined) return undefined;
  return { delivered: debtOf(row) };
}

/** The debts of these orders; those that are not delivered have none. */
export async function findDebts(db: Db, transactionIds: string[]): Promise<TransactionDelivered[]> {
  const rows = await query<DeliveredRow>(db, `${SELECT_DEBT} WHERE t.id = ANY($1)`, [
    transactionIds,
  ]);
  return rows.map(debtOf).filter((debt) => debt !== null);
}

function debtOf({
  deliveredAt,
  dueAt,
  dueOn,
  timeZone,
  ...debt
}: DeliveredRow): TransactionDelivered | null {
  if (deliveredAt === null) return null;
  return {
    ...debt,
    dueAt: dueAt.toISOString(),
    ...(dueOn === null || timeZone === null ? {} : { dueOn, timeZone }),
    deliveredAt: deliveredAt.toISOString(),
  };
}

interface DeliveredRow extends Omit<
  TransactionDelivered,
  'dueAt' | 'dueOn' | 'timeZone' | 'deliveredAt'
> {
  dueAt: Date;
  /** Null with the time zone in deliveries of the release before. */
  dueOn: string | null;
  timeZone: string | null;
  deliveredAt: Date | null;
}
