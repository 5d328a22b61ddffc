import { Length } from '@fiado/contracts/class-validator';
import { IANAZone } from 'luxon';
import { ALSO_WHEN_MISSING, Passes } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { isRate } from '@fiado/contracts/money';
import { normalizePhone } from '@fiado/contracts/numbering-plan';
import { momentWithOffset } from '@fiado/contracts/request-dates';
import type { Context } from './context';

const RATE_DECIMALS = 6;

/** A rate of a request: a JSON number from 0 to 1 with at most 6 decimals; 0.05 is 5 %. */
export function IsRate(): PropertyDecorator {
  return Passes(
    'isRate',
    '$property must be a rate from 0 to 1 with at most 6 decimals',
    (value) =>
      typeof value === 'number' && isRate(rateOf(value)) && Number(rateOf(value)) === value,
  );
}

/** A rate of a request (checked by IsRate) as the decimal string that the code works with. */
export function rateOf(value: number): string {
  return value.toFixed(RATE_DECIMALS);
}

/** The name of a time zone of the IANA database, such as America/Mexico_City. */
export function IsTimeZoneName(): PropertyDecorator {
  return Passes(
    'isTimeZoneName',
    '$property must be the IANA name of a time zone',
    (value) => typeof value === 'string' && IANAZone.isValidZone(value),
  );
}

/** The spec's text for an invalid phone number (changePhoneNumber). */
export const INVALID_PHONE = 'phoneNumber must be a valid phone number';
/** Longer than any way to write one. */
const MAX_PHONE_TEXT = 50;

/** A text that may be a phone number; phoneOf() validates it with the same message, and so is one that is missing. */
export function IsPhoneText(): PropertyDecorator {
  return Length(1, MAX_PHONE_TEXT, { message: INVALID_PHONE, context: ALSO_WHEN_MISSING });
}

/** A body that names a phone number and nothing more. */
export class PhoneBody {
  @IsPhoneText()
  phoneNumber: string;
}

/**
 * A phone number of a request in E.164.
 * @throws ValidationError in the spec's shape
 */
export function phoneOf({ config }: Context, phoneNumber: string): string {
  const phone = normalizePhone(phoneNumber, config.PHONE_REGION);
  if (phone === undefined) throw new ValidationError([INVALID_PHONE]);
  return phone;
}

/**
 * The moment at which a key expires, of an RFC 3339 text.
 * @throws ValidationError for a day that no calendar has, and for a moment that is past
 */
export function futureMoment(expiresAt: string, now: Date): Date {
  const moment = momentWithOffset(expiresAt.replace(' ', 'T').toUpperCase());
  if (moment === undefined || moment <= now) {
    throw new ValidationError(['expiresAt must be a moment in the future']);
  }
  return moment;
}
