import type { Transaction } from '@fiado/chassis/db/database';
import { AppError } from '@fiado/contracts/errors';
import { lockPhoneHold } from '../db/phone-holds.repository';
import { lockTransactionRow } from '../db/transactions.repository';
import { MAX_HELD_CENTS } from '../domain/refusal';

/** An order, and whether its wholesaler was held when it was read. */
export interface OrderOfHold {
  id: string;
  wholesalerId: string;
  cornerStoreId: string;
  amountCents: number;
  isPhoneHeld: boolean;
}

/**
 * Whether an order may go on with the phone number that its wholesaler set lately: without a hold
 * always, else as far as all such orders together stay within 5,000 pesos. With the order's row
 * locked, if it has one.
 */
export async function fitsPhoneHold(tx: Transaction, order: OrderOfHold): Promise<boolean> {
  // A hold that began since the order was read does no harm: its phone is still the one before.
  if (!order.isPhoneHeld) return true;
  const hold = await lockPhoneHold(tx, order);
  return hold === undefined || hold.othersCents + order.amountCents <= MAX_HELD_CENTS;
}

/**
 * Refuses to send a code or a word to a phone number that nobody proved. Locks the order's row.
 * @throws AppError TOO_MANY_ATTEMPTS
 */
export async function requireFitsPhoneHold(tx: Transaction, order: OrderOfHold): Promise<void> {
  if (!order.isPhoneHeld) return;
  await lockTransactionRow(tx, order.id);
  if (await fitsPhoneHold(tx, order)) return;
  throw new AppError('TOO_MANY_ATTEMPTS', {
    message: 'The phone number of this corner store was changed lately: its larger orders wait',
  });
}
