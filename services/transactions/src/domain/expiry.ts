const HOUR_MS = 60 * 60_000;

/** An order expires if its store does not confirm it in this time. */
const UNCONFIRMED_LIFE_MS = 24 * HOUR_MS;
/** An order on hold expires this long after it should have been delivered. */
const ON_HOLD_LIFE_MS = 30 * 24 * HOUR_MS;

/** When an order that waits for its code gives its credit back. */
export function unconfirmedExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + UNCONFIRMED_LIFE_MS);
}

/** When an order on hold gives its credit back: counted from its delivery date, if it has one. */
export function onHoldExpiry(createdAt: Date, deliveryDate: Date | null | undefined): Date {
  const from = Math.max(createdAt.getTime(), deliveryDate?.getTime() ?? 0);
  return new Date(from + ON_HOLD_LIFE_MS);
}
