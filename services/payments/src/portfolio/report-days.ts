import { IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { readDate } from '@fiado/contracts/request-dates';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** A period of a report, from one day to another, both included. */
export class ReportDaysQuery {
  @About('First day', '2026-11-01')
  @IsDateText()
  from: string;

  @About('Last day, included', '2026-11-30')
  @IsDateText()
  to: string;

  /** Without it: the sums of all wholesalers. */
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;
}

/**
 * A day of a request.
 * @param path of the field, for the text of the error
 * @throws ValidationError for a text that is no day, or a day that no calendar has
 */
export function readDay(path: string, text: string): string {
  if (!DAY.test(text)) throw new ValidationError([`${path} must be a day such as 2026-12-07`]);
  readDate(path, text, 'utc');
  return text;
}

/**
 * The days of a request.
 * @param most days that a report may have
 * @throws ValidationError for days that are none, in the wrong order, or too many
 */
export function readDays(
  { from, to }: { from: string; to: string },
  most: number,
): { from: string; to: string } {
  const days = { from: readDay('from', from), to: readDay('to', to) };
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (count < 1) throw new ValidationError(['to must not be before from']);
  if (count > most) throw new ValidationError([`from and to must span at most ${most} days`]);
  return days;
}
