import { endOfDay } from '@fiado/contracts/clock';

/** How far ahead a delivery may be planned; a later date is a typing error. */
const MAX_YEARS_AHEAD = 1;

/** Whether an order made now may have that delivery date: in the future, at most a year ahead. */
export function isDeliveryDate(deliveryDate: Date, now: Date, timeZone: string): boolean {
  const aYearAhead = new Date(now);
  aYearAhead.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS_AHEAD);
  // A date alone means the end of its day, so all of that day counts.
  return deliveryDate > now && deliveryDate <= endOfDay(aYearAhead, timeZone);
}
