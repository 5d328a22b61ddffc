import { fieldOf, type Visit } from './visit';

/** Of the lender's time zone, which has no summer time. */
const OFFSET = '-06:00';

/** The first second of a day that was typed, as a moment of the API; undefined without one. */
export function startOfDayIn(visit: Visit, name: string): string | undefined {
  const day = fieldOf(visit, name);
  return day === '' ? undefined : `${day}T00:00:00${OFFSET}`;
}

/** The last second of a day that was typed, as a moment of the API; undefined without one. */
export function endOfDayIn(visit: Visit, name: string): string | undefined {
  const day = fieldOf(visit, name);
  return day === '' ? undefined : `${day}T23:59:59${OFFSET}`;
}
