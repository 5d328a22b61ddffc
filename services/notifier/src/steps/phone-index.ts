import { ValidationError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { normalizePhone } from '@fiado/contracts/phone';
import type { Context } from '../context';

/**
 * The blind index of a phone as people write it: messages are looked up by it.
 * @throws ValidationError when it is not a phone number
 */
export function phoneIndexOf(
  { config, sealer }: Pick<Context, 'config' | 'sealer'>,
  phoneNumber: string,
): Buffer {
  const phone = normalizePhone(phoneNumber, config.PHONE_REGION);
  if (phone === undefined) throw new ValidationError(['phoneNumber must be a valid phone number']);
  return sealer.blindIndex(phone, PHONE_PURPOSE);
}
