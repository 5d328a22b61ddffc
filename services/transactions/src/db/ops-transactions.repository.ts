import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import type { TransactionStatus } from '../domain/transaction-status';
import type { ProductLineView } from './transaction-views.repository';

/** A transaction in a list for ops: ids, amounts, status and times. */
export interface OpsTransaction {
  id: string;
  incrementalId: number;
  wholesalerId: string;
  wholesalerName: string;
  wholesalerTransactionId: string | null;
  cornerStoreId: string;
  userId: string;
  status: TransactionStatus;
  amountCents: number;
  interestCents: number;
  ivaCents: number;
  movementDate: Date;
  deliveryDate: Date | null;
  deliveredAt: Date | null;
  paymentDueAt: Date;
  /** Null in orders of the release before: the installation's. */
  paymentTimeZone: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A transaction with what ops may know of it: no metadata, place or word. */
export interface OpsTransactionDetail extends OpsTransaction {
  interestRate: string;
  ivaRate: string;
  commissionRate: string;
  linked: boolean;
  driverId: string | null;
  expiresAt: Date;
  products: ProductLineView[];
}

export interface OpsTransactionFilter {
  wholesalerId?: string | undefined;
  cornerStoreId?: string | undefined;
  status?: TransactionStatus | undefined;
  wholesalerTransactionId?: string | undefined;
  incrementalId?: number | undefined;
  /** Created at or after. */
  from?: Date | undefined;
  /** Created before. */
  to?: Date | undefined;
}

const COLUMNS = `
  t.id, t.incremental_id, t.wholesaler_id, wholesaler.name AS "wholesalerName",
  t.wholesaler_transaction_id, t.corner_store_id, t.user_id, t.status, t.amount_cents,
  t.interest_cents, t.iva_cents, t.movement_date, t.delivery_date, t.delivered_at,
  t.payment_due_at, t.payment_time_zone, t.created_at, t.updated_at`;

const PAGE_OF_KEYS = `
      AND ($2::uuid IS NULL OR t.corner_store_id = $2)
      AND ($3::text IS NULL OR t.status = $3)
      AND ($4::text IS NULL OR t.wholesaler_transaction_id = $4)
      AND ($5::bigint IS NULL OR t.incremental_id = $5)
      AND ($6::timestamptz IS NULL OR t.created_at >= $6)
      AND ($7::timestamptz IS NULL OR t.created_at < $7)
      AND ($8::uuid IS NULL OR (t.created_at, t.id) <
            (SELECT last.created_at, last.id FROM transactions last WHERE last.id = $8))
    ORDER BY t.created_at DESC, t.id DESC LIMIT $9`;

/** A corner store has some hundred orders, and a number one. */
const KEYS_OF_FEW = `
  SELECT t.id FROM transactions t
    WHERE ($1::uuid IS NULL OR t.wholesaler_id = $1) ${PAGE_OF_KEYS}`;

/**
 * A page of each wholesaler: every index by time begins with the wholesaler, and one without it
 * would cost each order a write.
 */
const KEYS_OF_WHOLESALERS = `
  SELECT page.id FROM wholesalers, LATERAL (
    SELECT t.id, t.created_at FROM transactions t
      WHERE t.wholesaler_id = wholesalers.wholesaler_id ${PAGE_OF_KEYS}) page
    WHERE ($1::uuid IS NULL OR wholesalers.wholesaler_id = $1)
    ORDER BY page.created_at DESC, page.id DESC LIMIT $9`;

/**
 * Transactions of all wholesalers, newest first.
 * @param cursor id of the last transaction of the page before
 */
export function listOpsTransactions(
  db: Db,
  {
    filter,
    cursor,
    limit,
  }: { filter: OpsTransactionFilter; cursor: string | undefined; limit: number },
): Promise<OpsTransaction[]> {
  const { wholesalerId, cornerStoreId, status, incrementalId, from, to } = filter;
  const areFew = cornerStoreId !== undefined || incrementalId !== undefined;
  return query<OpsTransaction>(
    db,
    `SELECT ${COLUMNS}
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.id = ANY(ARRAY(${areFew ? KEYS_OF_FEW : KEYS_OF_WHOLESALERS}))
      ORDER BY t.created_at DESC, t.id DESC`,
    [
      wholesalerId ?? null,
      cornerStoreId ?? null,
      status ?? null,
      filter.wholesalerTransactionId ?? null,
      incrementalId ?? null,
      from ?? null,
      to ?? null,
      cursor ?? null,
      limit,
    ],
  );
}

/** A transaction of any wholesaler, for ops. */
export function findOpsTransaction(
  db: Db,
  transactionId: string,
): Promise<OpsTransactionDetail | undefined> {
  return queryRow<OpsTransactionDetail>(
    db,
    `SELECT ${COLUMNS}, trim_scale(t.interest_rate)::text AS interest_rate,
            trim_scale(t.iva_rate)::text AS iva_rate,
            trim_scale(t.commission_rate)::text AS commission_rate, t.linked, t.driver_id,
            t.expires_at,
            (SELECT coalesce(json_agg(json_build_object(
                      'id', line.id, 'externalSKU', line.external_sku, 'name', line.name,
                      'quantity', line.quantity, 'createdAt', line.created_at,
                      'updatedAt', line.updated_at) ORDER BY line.position), '[]')
               FROM product_lines line WHERE line.transaction_id = t.id) AS products
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.id = $1`,
    [transactionId],
  );
}

/** How often the delivery word of a transaction was sent and tried. The word itself stays sealed. */
export interface DeliveryWordState {
  /** Messages with it, the first included. */
  sends: number;
  /** Wrong words since this word was made. */
  wrongChecks: number;
  /** Wrong words for this transaction, until ops resets them. */
  wrongChecksInAll: number;
  /** Whether the wholesaler changed the phone since the word was sent. */
  isVoid: boolean;
}

/** The state of a transaction's delivery word; undefined without one. */
export function findDeliveryWordState(
  db: Db,
  transactionId: string,
): Promise<DeliveryWordState | undefined> {
  return queryRow<DeliveryWordState>(
    db,
    `SELECT word.sends, word.wrong_checks, word.wrong_checks_in_all,
            word.phone_changes <> customer.phone_changes AS "isVoid"
       FROM delivery_words word
       JOIN transactions t ON t.id = word.transaction_id
       JOIN customers customer USING (wholesaler_id, corner_store_id)
      WHERE word.transaction_id = $1`,
    [transactionId],
  );
}
