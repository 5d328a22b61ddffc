import type { ErrorCode } from '@fiado/contracts/errors';
import { shareOf } from '@fiado/contracts/money';

/**
 * Whether goods of this amount may be handed over against an order of that one: less is always
 * fine, more up to the wholesaler's overage, because the store's code confirmed an amount.
 * @param overageRate decimal string, such as '0.10'
 */
export function deliveryRefusal(
  orderedCents: number,
  deliveredCents: number,
  overageRate: string,
): ErrorCode | undefined {
  const allowedCents = orderedCents + shareOf(orderedCents, overageRate);
  return deliveredCents > allowedCents ? 'TRANSACTION_AMOUNT_NOT_ALLOWED' : undefined;
}
