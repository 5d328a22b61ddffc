import { startOfDateOrMoment } from '@fiado/contracts/request-dates';
import { lenderTimeZone } from './formats';
import { fieldOf, type Visit } from './visit';

/** The first second of a day that was typed, as a moment of the API; undefined without one. */
export function startOfDayIn(visit: Visit, name: string): string | undefined {
  return momentIn(visit, name, '00:00:00');
}

/** The last second of a day that was typed, as a moment of the API; undefined without one. */
export function endOfDayIn(visit: Visit, name: string): string | undefined {
  return momentIn(visit, name, '23:59:59');
}

/** A text that is no day goes to the API as it is, which refuses it. */
function momentIn(visit: Visit, name: string, clock: string): string | undefined {
  const day = fieldOf(visit, name);
  if (day === '') return undefined;
  const text = `${day}T${clock}`;
  return startOfDateOrMoment(text, lenderTimeZone())?.toISOString() ?? text;
}
