import { ValidationError } from '@fiado/shared/contracts/errors';
import { startOfDateOrMoment } from '@fiado/shared/request-dates';

/**
 * The moment that a parameter names: a date means the start of that day in the time zone.
 * @throws ValidationError for a text that is no date, or a date that no calendar has
 */
export function momentOf<Name extends string>(
  values: { [name in Name]?: string },
  name: Name,
  timeZone: string,
): Date | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  const moment = startOfDateOrMoment(value, timeZone);
  if (moment !== undefined) return moment;
  throw new ValidationError([`${name} must be a real ISO 8601 date or timestamp`]);
}
