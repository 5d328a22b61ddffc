import { isUUID } from 'class-validator';
import type { Context } from '../context';
import { findCreditTerms } from '../db/credit-terms.repository';
import { findLiveOrders } from '../db/transactions.repository';
import type { CreditTerms } from '../domain/credit-terms';
import {
  isPhoneHeld,
  mayChangeAfterRefresh,
  MAX_HELD_CENTS,
  refusalsOf,
  type OrderToCheck,
} from '../domain/refusal';
import type { OrderReason } from '../domain/rejection-reasons';
import { refreshCreditTerms } from '../steps/refresh-credit-terms';

export interface CheckOrder extends OrderToCheck {
  wholesalerId: string;
  cornerStoreId: string;
  wholesalerTransactionId: string | undefined;
}

export interface CheckedOrder {
  /** Empty when the order would be accepted now. */
  reasons: OrderReason[];
  availableCents: number;
  /** The largest order that would be accepted now; 0 when none would. */
  maximumCents: number;
}

/**
 * Previews an order: returns every check of createTransaction that would refuse it. Changes
 * nothing.
 * @throws AppError SERVICE_UNAVAILABLE when accounts is unavailable and nothing is known of the
 *   store
 */
export async function checkOrder(context: Context, command: CheckOrder): Promise<CheckedOrder> {
  const { TIME_ZONE } = context.config;
  const terms = await currentTerms(context, command);
  const reasons: OrderReason[] = refusalsOf(terms, command, TIME_ZONE);
  if (await isLive(context, command)) reasons.push('DUPLICATED_TRANSACTION');
  return { reasons, ...roomOf(terms, TIME_ZONE) };
}

/** The local terms, or fresh ones of accounts if the order would be refused. */
async function currentTerms(
  context: Context,
  command: CheckOrder,
): Promise<CreditTerms | undefined> {
  const { wholesalerId, cornerStoreId } = command;
  if (!isUUID(cornerStoreId)) return undefined;
  const known = await findCreditTerms(context.db, wholesalerId, cornerStoreId);
  if (!refusalsOf(known, command, context.config.TIME_ZONE).some(mayChangeAfterRefresh))
    return known;
  await refreshCreditTerms(context, { wholesalerId, cornerStoreIds: [cornerStoreId] }).catch(
    (error: unknown) => {
      if (known === undefined) throw error;
    },
  );
  return findCreditTerms(context.db, wholesalerId, cornerStoreId);
}

/** Whether the wholesaler has a live order of that id. */
async function isLive(
  { db }: Context,
  { wholesalerId, wholesalerTransactionId: order }: CheckOrder,
): Promise<boolean> {
  return order !== undefined && (await findLiveOrders(db, wholesalerId, [order])).has(order);
}

function roomOf(terms: CreditTerms | undefined, timeZone: string): Omit<CheckedOrder, 'reasons'> {
  if (terms === undefined) return { availableCents: 0, maximumCents: 0 };
  const availableCents = Math.max(0, terms.limitCents - terms.usedCents);
  const allowedCents = isPhoneHeld(terms)
    ? Math.min(availableCents, Math.max(0, MAX_HELD_CENTS - terms.heldCents))
    : availableCents;
  const largest = { amountCents: allowedCents, deliveryDate: undefined };
  const possible = allowedCents > 0 && refusalsOf(terms, largest, timeZone).length === 0;
  return { availableCents, maximumCents: possible ? allowedCents : 0 };
}
