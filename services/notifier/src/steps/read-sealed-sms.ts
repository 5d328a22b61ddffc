import { AppError } from '@fiado/contracts/errors';
import { SMS_PURPOSE, type SealedSms } from '@fiado/contracts/jobs/send-message';
import type { Context } from '../context';
import type { Message } from '../db/messages.repository';
import { renderText } from '../domain/templates';

/**
 * Opens a message's envelope.
 * @returns phone (E.164) and text, or undefined when it is wiped or does not open. The reason is
 *   dropped on purpose: a parser's error quotes what it read.
 * @throws AppError SERVICE_UNAVAILABLE while this process does not have the key
 */
export function readSealedSms(
  { sealer, lender }: Pick<Context, 'sealer' | 'lender'>,
  { sealed, template, subjectId }: Pick<Message, 'sealed' | 'template' | 'subjectId'>,
): { to: string; text: string } | undefined {
  if (sealed === null) return undefined;
  try {
    const { phone, values } = JSON.parse(sealer.open(sealed, SMS_PURPOSE, subjectId)) as SealedSms;
    return { to: phone, text: renderText(template, values, lender) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
}
