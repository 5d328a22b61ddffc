import type { Db } from '@fiado/chassis/db/database';
import { rowsWithKey } from '@fiado/chassis/db/folded-keys';
import { inAskedOrder, query, queryNamed, queryRow } from '@fiado/chassis/db/query';
import type { Lane } from '@fiado/chassis/lanes/lane';
import { AppError } from '@fiado/contracts/errors';
import { foldKey } from '@fiado/contracts/fold-key';
import type { OrderToDecide } from '../deliveries/decide-delivery.rules';
import { onHold, ORDER_KEY, type OrderStatus } from './order.rules';
import type { Rates } from './pricing.rules';

/** An order, and what its messages and its hold need of its customer and its wholesaler. */
export interface OrderOfCustomer {
  id: string;
  wholesalerId: string;
  wholesalerName: string;
  cornerStoreId: string;
  status: OrderStatus;
  amountCents: number;
  phoneSealed: Buffer;
  /** The wholesaler that set the phone, while no code has proved it. */
  phoneUnprovenBy: string | null;
  /** Times that the wholesaler changed the phone. */
  phoneChanges: number;
  /** Whether the wholesaler's orders are held because it changed the phone lately. */
  isPhoneHeld: boolean;
  now: Date;
}

/** The columns of OrderOfCustomer, of the rows of ORDERS_OF_CUSTOMERS. */
export const ORDER_COLUMNS = `t.id, t.wholesaler_id, wholesaler.name AS "wholesalerName",
  t.corner_store_id, t.status, t.amount_cents, line.phone_sealed, line.phone_unproven_by,
  customer.phone_changes,
  coalesce(customer.phone_held_until > now(), false) AS "isPhoneHeld", now()`;

export const ORDERS_OF_CUSTOMERS = `transactions t
  JOIN wholesalers wholesaler USING (wholesaler_id)
  JOIN credit_lines line USING (corner_store_id)
  JOIN customers customer USING (wholesaler_id, corner_store_id)`;

/** The terms that an order was made with; of an order of the release before, the settings now. */
export interface OrderTerms extends Rates {
  paymentTermDays: number;
  deliveryOverageRate: string;
}

/** The columns of OrderTerms, of the same rows. */
export const TERMS_COLUMNS = `t.interest_rate, t.iva_rate, t.commission_rate,
  coalesce(t.payment_term_days, wholesaler.payment_term_days) AS "paymentTermDays",
  coalesce(t.delivery_overage_rate, wholesaler.delivery_overage_rate) AS "deliveryOverageRate"`;

/** An order, and what its delivery needs. */
export interface OrderWithTerms extends OrderOfCustomer, OrderToDecide {
  /** Null before the delivery. */
  deliveredAt: Date | null;
}

/** The wholesaler of an order; undefined if there is none with this id. */
export async function findWholesalerOf(db: Db, transactionId: string): Promise<string | undefined> {
  const [row] = await query<{ wholesalerId: string }>(
    db,
    'SELECT wholesaler_id FROM transactions WHERE id = $1',
    [transactionId],
  );
  return row?.wholesalerId;
}

/**
 * The wholesaler of an order.
 * @param asking whose the order must be; undefined: anybody's, for ops
 * @throws AppError TRANSACTION_NOT_FOUND
 */
export async function requireWholesalerOf(
  db: Db,
  transactionId: string,
  asking: string | undefined,
): Promise<string> {
  const owner = await findWholesalerOf(db, transactionId);
  if (owner === undefined || (asking ?? owner) !== owner) {
    throw new AppError('TRANSACTION_NOT_FOUND');
  }
  return owner;
}

/** An order, by its id and its wholesaler's. */
export interface OrderIds {
  wholesalerId: string;
  transactionId: string;
}

/**
 * The wholesaler's order, when it is on hold.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export async function requireOnHold(
  { lanes }: { lanes: { ordersWithTerms: Lane<OrderIds, OrderWithTerms | undefined> } },
  { wholesalerId, transactionId }: OrderIds,
): Promise<OrderWithTerms> {
  return onHold(await lanes.ordersWithTerms.add({ wholesalerId, transactionId }));
}

/**
 * The same with its row locked until the database transaction ends.
 * @throws AppError TRANSACTION_NOT_FOUND, TRANSACTION_IS_NOT_IN_HOLD
 */
export async function lockOnHold(
  tx: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<OrderWithTerms> {
  return onHold(await lockOrder(tx, wholesalerId, transactionId));
}

const ORDER_WITH_TERMS = `${ORDER_COLUMNS}, ${TERMS_COLUMNS}, t.version, t.user_id,
  customer.external_id, t.payment_time_zone, t.delivered_at,
  wholesaler.delivery_word_required AND wholesaler.delivery_word_enabled
    AND EXISTS (SELECT FROM delivery_words word WHERE word.transaction_id = t.id)
    AS "deliveryWordRequired"`;

/** A wholesaler's order in any state, with its row locked until the database transaction ends. */
export function lockOrder(
  tx: Db,
  wholesalerId: string,
  transactionId: string,
): Promise<OrderWithTerms | undefined> {
  return queryRow<OrderWithTerms>(
    tx,
    `SELECT ${ORDER_WITH_TERMS} FROM ${ORDERS_OF_CUSTOMERS}
      WHERE t.id = $1 AND t.wholesaler_id = $2 FOR UPDATE OF t`,
    [transactionId, wholesalerId],
  );
}

/**
 * Wholesalers' orders in any state, in one round trip. Locks nothing.
 * @returns in the order of the ids; undefined where the wholesaler has no such order
 */
export async function findOrdersWithTerms(
  db: Db,
  ids: OrderIds[],
): Promise<Array<OrderWithTerms | undefined>> {
  const rows = await queryNamed<OrderWithTerms & { at: number }>(
    db,
    'find-orders-with-terms',
    `SELECT asked.at, found.*
       FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked(transaction_id, wholesaler_id, at),
            -- OFFSET 0: each order is looked up by itself, where a join would read whole tables.
            LATERAL (SELECT ${ORDER_WITH_TERMS} FROM ${ORDERS_OF_CUSTOMERS}
                      WHERE t.id = asked.transaction_id AND t.wholesaler_id = asked.wholesaler_id
                     OFFSET 0) found`,
    [ids.map(({ transactionId }) => transactionId), ids.map(({ wholesalerId }) => wholesalerId)],
  );
  return inAskedOrder(ids, rows);
}

/** Locks the row of an order until the database transaction ends. */
export async function lockOrderRow(tx: Db, transactionId: string): Promise<void> {
  await query(tx, 'SELECT FROM transactions WHERE id = $1 FOR NO KEY UPDATE', [transactionId]);
}

/** The ids among these that a live order of the wholesaler has already, folded. */
export async function findLiveOrders(
  db: Db,
  wholesalerId: string,
  orders: string[],
): Promise<Set<string>> {
  const rows = await query<{ order: string }>(
    db,
    `SELECT asked."order" FROM unnest($2::text[]) AS asked("order")
      WHERE EXISTS (SELECT FROM (${rowsWithKey(ORDER_KEY, '1', { of: ['$1'], asked: 'asked."order"' })}) live
                    OFFSET 0)`,
    [wholesalerId, orders],
  );
  return new Set(rows.map((row) => foldKey(row.order)));
}
