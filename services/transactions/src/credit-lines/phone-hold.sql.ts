import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';
import { limitOfADay } from '@fiado/contracts/verification-rules';
import { lockOrderRow, type OrderOfCustomer } from '../orders/order.sql';
import { MAX_HELD_CENTS } from '../orders/refusal.rules';

/**
 * SQL of the live orders `t` of the row `customer` whose code or delivery word went to an unproven phone
 * number of its hold. They may be older than the hold. OFFSET 0: each order's rows are looked up, where a plan that is made
 * while the tables are new would read all of them.
 */
const UNPROVEN = `transactions t
   LEFT JOIN LATERAL (SELECT phone_changes FROM verifications
                       WHERE transaction_id = t.id OFFSET 0) verification ON true
   LEFT JOIN LATERAL (SELECT phone_changes FROM delivery_words
                       WHERE transaction_id = t.id OFFSET 0) word ON true
  WHERE t.corner_store_id = customer.corner_store_id AND t.wholesaler_id = customer.wholesaler_id
    AND t.status NOT IN ('cancelled', 'expired')
    AND greatest(verification.phone_changes, word.phone_changes)
        > coalesce(customer.phone_changes_before_hold, 0)`;

/** SQL of the sum of those orders in cents; without a hold it is 0, and no order is read. */
export const HELD_CENTS = `CASE WHEN customer.phone_held_until > now()
  THEN (SELECT coalesce(sum(t.amount_cents), 0)::bigint FROM ${UNPROVEN}) ELSE 0 END`;

/** A phone hold, seen from one order. */
interface PhoneHold {
  /** The sum of the other orders that count against it. */
  othersCents: number;
  /** Whether the order counts already. */
  counts: boolean;
}

/**
 * The phone hold of an order's wholesaler and store, with the store's line locked until the database
 * transaction ends, so that parallel orders share what is left. Order of locks: the order's row
 * before the line.
 * @returns undefined when there is no hold
 */
export async function lockPhoneHold(
  tx: Transaction,
  order: Pick<OrderOfCustomer, 'id' | 'wholesalerId' | 'cornerStoreId'>,
): Promise<PhoneHold | undefined> {
  await query(tx, 'SELECT FROM credit_lines WHERE corner_store_id = $1 FOR NO KEY UPDATE', [
    order.cornerStoreId,
  ]);
  // A statement of its own: it sees the orders that the lock waited for.
  return queryRow<PhoneHold>(
    tx,
    `SELECT (SELECT coalesce(sum(t.amount_cents), 0)::bigint FROM ${UNPROVEN} AND t.id <> $3)
              AS "othersCents",
            EXISTS (SELECT FROM ${UNPROVEN} AND t.id = $3) AS counts
       FROM customers customer
      WHERE customer.wholesaler_id = $1 AND customer.corner_store_id = $2
        AND customer.phone_held_until > now()`,
    [order.wholesalerId, order.cornerStoreId, order.id],
  );
}

/** An order, and whether its wholesaler was held when it was read. */
type OrderOfHold = Pick<
  OrderOfCustomer,
  'id' | 'wholesalerId' | 'cornerStoreId' | 'amountCents' | 'isPhoneHeld'
>;

/**
 * Whether an order may use the phone number that its wholesaler changed. During a phone hold, all such
 * orders together may be of at most MAX_HELD_CENTS; without a hold any order may. The caller has locked
 * the order's row, if there is one.
 */
export async function fitsPhoneHold(tx: Transaction, order: OrderOfHold): Promise<boolean> {
  // A hold that began since the order was read does no harm: the order still has the earlier phone.
  if (!order.isPhoneHeld) return true;
  const hold = await lockPhoneHold(tx, order);
  return hold === undefined || hold.othersCents + order.amountCents <= MAX_HELD_CENTS;
}

/**
 * Refuses to send a code or a delivery word again: to the phone of a store that the lender has paused or validates, and
 * to an unproven number. Locks the order's row where its phone is held.
 * @throws AppError TOO_MANY_ATTEMPTS
 */
export async function requireMayGetCodes(tx: Transaction, order: OrderOfHold): Promise<void> {
  const validated = await query(
    tx,
    `SELECT FROM credit_lines WHERE corner_store_id = $1 AND status = 'in-manual-validation'`,
    [order.cornerStoreId],
  );
  if (validated.length > 0) {
    throw new AppError('TOO_MANY_ATTEMPTS', {
      message: 'The lender looks into this corner store: it gets no code until that is decided',
    });
  }
  if (!order.isPhoneHeld) return;
  await lockOrderRow(tx, order.id);
  if (await fitsPhoneHold(tx, order)) return;
  throw limitOfADay(
    'The phone number of this corner store was changed lately: its larger orders wait',
  );
}
