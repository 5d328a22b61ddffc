import type { Sealer } from '@fiado/chassis/keys/sealing';
import { AppError, ValidationError } from '@fiado/contracts/errors';
import { PHONE_PURPOSE, SMS_PURPOSE, type SealedSms } from '@fiado/contracts/jobs/send-message';
import { normalizePhone } from '@fiado/contracts/numbering-plan';
import type { NotifierConfig } from '../config';
import type { Message } from './messages.sql';
import { renderForWhatsapp, renderText, type SmsLender } from './templates.rules';

/**
 * Opens a message's envelope.
 * @returns phone (E.164) and text, of WhatsApp with the variables of its template, or undefined when it is wiped or
 *   does not open. The reason is dropped on purpose: a parser's error quotes what it read.
 * @throws AppError SERVICE_UNAVAILABLE while this process does not have the key
 */
export function readSealedSms(
  { sealer, lender }: { sealer: Sealer; lender: SmsLender },
  {
    sealed,
    template,
    subjectId,
    channel,
  }: Pick<Message, 'sealed' | 'template' | 'subjectId' | 'channel'>,
): { to: string; text: string; variables?: string[] } | undefined {
  if (sealed === null) return undefined;
  try {
    const { phone, values } = JSON.parse(sealer.open(sealed, SMS_PURPOSE, subjectId)) as SealedSms;
    if (channel === 'whatsapp')
      return { to: phone, ...renderForWhatsapp(template, values, lender) };
    return { to: phone, text: renderText(template, values, lender) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
}

/**
 * The blind index of a phone as people write it: messages are looked up by it.
 * @throws ValidationError when it is not a phone number
 */
export function phoneIndexOf(
  { config, sealer }: { config: NotifierConfig; sealer: Sealer },
  phoneNumber: string,
): Buffer {
  const phone = normalizePhone(phoneNumber, config.PHONE_REGION);
  if (phone === undefined) throw new ValidationError(['phoneNumber must be a valid phone number']);
  return sealer.blindIndex(phone, PHONE_PURPOSE);
}
