import type { Context } from '../context';
import { findCreditTerms } from '../db/credit-terms.repository';
import type { CreditTerms } from '../domain/credit-terms';
import { isWorthAsking, refusalsOf, type OrderToCheck, type Refusal } from '../domain/refusal';
import { refreshCreditTerms } from './refresh-credit-terms';

export interface CheckOrder extends OrderToCheck {
  wholesalerId: string;
  cornerStoreId: string;
}

export interface CheckedOrder {
  /** Empty when the order would be accepted now. */
  refusals: Refusal[];
  availableCents: number;
  /** The largest order that would be accepted now; 0 when none would. */
  maximumCents: number;
}

/**
 * What would become of an order, without making it: e7's checks, all that apply. Changes nothing.
 * @throws AppError SERVICE_UNAVAILABLE when accounts is away and nothing is known of the store
 */
export async function checkOrder(context: Context, command: CheckOrder): Promise<CheckedOrder> {
  const { wholesalerId, cornerStoreId } = command;
  let terms = await findCreditTerms(context.db, wholesalerId, cornerStoreId);
  if (refusalsOf(terms, command).some(isWorthAsking)) {
    await refreshCreditTerms(context, wholesalerId, [cornerStoreId]).catch((error: unknown) => {
      if (terms === undefined) throw error;
    });
    terms = await findCreditTerms(context.db, wholesalerId, cornerStoreId);
  }
  return { refusals: refusalsOf(terms, command), ...roomOf(terms) };
}

function roomOf(terms: CreditTerms | undefined): Omit<CheckedOrder, 'refusals'> {
  if (terms === undefined) return { availableCents: 0, maximumCents: 0 };
  const availableCents = Math.max(0, terms.limitCents - terms.usedCents);
  const largest = { amountCents: availableCents, deliveryDate: undefined };
  const possible = availableCents > 0 && refusalsOf(terms, largest).length === 0;
  return { availableCents, maximumCents: possible ? availableCents : 0 };
}
