import type { PhoneChangeHold } from '@fiado/contracts/corner-store';

/**
 * Changes of one user's phone by one wholesaler in 24 hours: enough to correct a typing error
 * twice.
 */
export const MAX_PHONE_CHANGES_PER_DAY = 3;

/** How long a changed phone holds the larger orders of the wholesaler that changed it. */
const HOLD_MS = 24 * 60 * 60_000;

/**
 * Until when a change of phone holds the wholesaler's larger orders and batch items for the store;
 * undefined when it holds none. A store that buys from one wholesaler only needs no protection from
 * it.
 * @param wholesalers that have the store as a customer
 */
export function phoneHoldUntil({
  setting,
  wholesalers,
  now,
}: {
  setting: PhoneChangeHold;
  wholesalers: number;
  now: Date;
}): Date | undefined {
  const holds = setting === 'always' || (setting === 'shared' && wholesalers > 1);
  return holds ? new Date(now.getTime() + HOLD_MS) : undefined;
}
