import { Matches } from 'class-validator';
import { callback, type Callback } from '@fiado/chassis/http/endpoint';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { validInstance } from '@fiado/chassis/validation';
import { IsText } from '@fiado/contracts/decorators';
import { AppError } from '@fiado/contracts/errors';
import { oppositionAsked } from '@fiado/contracts/jobs/opposition';
import { PHONE_PURPOSE } from '@fiado/contracts/jobs/send-message';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { countInboundSms } from '../metrics';
import type { SignatureCheck } from './twilio';
import { wordOf } from './words.rules';

/** Ten parts of an SMS: the most that Twilio joins to one. */
const MAX_BODY = 1_600;

/** What is read of the form of an SMS that Twilio received. */
class InboundSmsForm {
  @Matches(/^\+[1-9]\d{1,14}$/, { message: 'From must be a phone number in E.164' })
  From: string;

  @IsText(MAX_BODY)
  Body: string;
}

/**
 * POST /v1/callbacks/twilio/inbound: an SMS to the sender, signed by Twilio. Of its text only a word
 * about reminders is read, and nothing of it is kept; the phone goes on as an index.
 */
export function receiveSms(context: Context, isFromTwilio: SignatureCheck): Callback {
  return callback('/v1/callbacks/twilio/inbound', async ({ form, url, header }) => {
    const genuine = await isFromTwilio(url, header('x-twilio-signature'), form);
    if (!genuine) throw new AppError('FORBIDDEN');

    const { From: phone, Body: text } = validInstance(InboundSmsForm, form, 'ignore');
    const word = wordOf(text);
    countInboundSms(word ?? 'other');
    if (word === undefined) return;
    const { db, sealer, relay } = context;
    const phoneIndex = sealer.blindIndex(phone, PHONE_PURPOSE).toString('base64');
    const opposes = word === 'stop';
    await db.transaction((tx) =>
      appendToOutbox(
        tx,
        outboxRows(oppositionAsked, { id: newId(), version: 1 }, { phoneIndex, opposes }),
      ),
    );
    relay.wake();
  });
}
