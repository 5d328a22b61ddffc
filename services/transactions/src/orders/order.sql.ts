import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { TransactionStatus } from './order.rules';

/** SQL of the row `customer`. */
export const IS_PHONE_HELD = 'coalesce(customer.phone_held_until > now(), false) AS "isPhoneHeld"';

/** A transaction, and what its delivery needs of its customer and its wholesaler. */
export interface TransactionWithTerms {
  id: string;
  version: number;
  status: TransactionStatus;
  wholesalerId: string;
  cornerStoreId: string;
  userId: string;
  externalId: string;
  amountCents: number;
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  wholesalerName: string;
  /** The terms that the order was made with; of an order of the release before, the settings now. */
  paymentTermDays: number;
  deliveryOverageRate: string;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  /** Only where the wholesaler has words on, and only when this transaction has one. */
  deliveryWordRequired: boolean;
  phoneSealed: Buffer;
  /** Times that the wholesaler changed the phone, and whether its orders are held for it. */
  phoneChanges: number;
  isPhoneHeld: boolean;
  now: Date;
}

/** The wholesaler of a transaction; undefined if there is none with this id. */
export async function findWholesalerOf(db: Db, transactionId: string): Promise<string | undefined> {
  const [row] = await query<{ wholesalerId: string }>(
    db,
    'SELECT wholesaler_id FROM transactions WHERE id = $1',
    [transactionId],
  );
  return row?.wholesalerId;
}

/** A transaction of the wholesaler. */
export function findTransaction(
  db: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<TransactionWithTerms | undefined> {
  return selectToDeliver(db, '', [transactionId, wholesalerId]);
}

/** The same with its row locked until the database transaction ends. */
export function lockTransaction(
  tx: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<TransactionWithTerms | undefined> {
  return selectToDeliver(tx, 'FOR UPDATE OF t', [transactionId, wholesalerId]);
}

/** Locks the row of an order until the database transaction ends. */
export async function lockTransactionRow(tx: Db, transactionId: string): Promise<void> {
  await query(tx, 'SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE', [transactionId]);
}

async function selectToDeliver(
  db: Db,
  lock: '' | 'FOR UPDATE OF t',
  ids: [transactionId: string, wholesalerId: string],
): Promise<TransactionWithTerms | undefined> {
  const [row] = await query<TransactionWithTerms>(
    db,
    `SELECT t.id, t.version, t.status, t.wholesaler_id,
            t.corner_store_id, t.user_id, customer.external_id, t.amount_cents, t.interest_rate,
            t.iva_rate, t.commission_rate, wholesaler.name AS "wholesalerName",
            coalesce(t.payment_term_days, wholesaler.payment_term_days) AS "paymentTermDays",
            coalesce(t.delivery_overage_rate, wholesaler.delivery_overage_rate)
              AS "deliveryOverageRate", t.payment_time_zone,
            wholesaler.delivery_word_required AND wholesaler.delivery_word_enabled
              AND EXISTS (SELECT FROM delivery_words word WHERE word.transaction_id = t.id)
              AS "deliveryWordRequired",
            line.phone_sealed, customer.phone_changes, ${IS_PHONE_HELD}, now()
       FROM transactions t
       JOIN wholesalers wholesaler USING (wholesaler_id)
       JOIN credit_lines line USING (corner_store_id)
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE t.id = $1 AND t.wholesaler_id = $2 ${lock}`,
    ids,
  );
  return row;
}

/** Which of these order ids the wholesaler has live already. */
export async function findLiveOrders(
  db: Db,
  wholesalerId: string,
  orders: string[],
): Promise<Set<string>> {
  const rows = await query<{ order: string }>(
    db,
    `SELECT wholesaler_transaction_id AS "order" FROM transactions
      WHERE wholesaler_id = $1 AND wholesaler_transaction_id = ANY($2::text[])
        AND status NOT IN ('cancelled', 'expired')`,
    [wholesalerId, orders],
  );
  return new Set(rows.map((row) => row.order));
}

/**
 * The wholesaler's transaction, when it is on hold: deliverTransaction checks this before it looks
 * at its body.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export async function requireOnHold(
  context: Context,
  { wholesalerId, transactionId }: { wholesalerId: string; transactionId: string },
): Promise<TransactionWithTerms> {
  const transaction = await findTransaction(context.db, wholesalerId, transactionId);
  if (transaction === undefined) throw new AppError('TRANSACTION_NOT_FOUND');
  if (transaction.status !== 'on-hold') throw new AppError('TRANSACTION_IS_NOT_IN_HOLD');
  return transaction;
}
