import { IsOptional, Matches } from 'class-validator';
import { IsText } from '@fiado/contracts/decorators';
import { callback, type Callback } from '@fiado/chassis/http/endpoint';
import { validInstance } from '@fiado/chassis/validation';
import { AppError } from '@fiado/contracts/errors';
import type { SignatureCheck } from '../clients/sms/twilio-signature';
import type { Context } from '../context';
import { recordDeliveryStatus } from '../use-cases/record-delivery-status';

/** What is read of the form that Twilio posts; it has some twenty fields more. */
class TwilioStatusForm {
  @Matches(/^(SM|MM)[0-9a-fA-F]{32}$/, { message: 'MessageSid must be the SID of a message' })
  MessageSid: string;

  @IsText(40)
  MessageStatus: string;

  @IsOptional()
  @Matches(/^\d{1,9}$/, { message: 'ErrorCode must be a number' })
  ErrorCode?: string;
}

/** Callbacks of providers; none if no provider has a callback address. */
export function callbacks(context: Context): Callback[] {
  const { isFromTwilio } = context;
  return isFromTwilio === undefined ? [] : [receiveTwilioCallback(context, isFromTwilio)];
}

/** POST /v1/callbacks/twilio/{messageId}: where a message is; signed, repeated and unordered. */
function receiveTwilioCallback(context: Context, isFromTwilio: SignatureCheck): Callback {
  return callback('/v1/callbacks/twilio/:messageId', async ({ form, url, header, id }) => {
    const genuine = await isFromTwilio(url, header('x-twilio-signature'), form);
    if (!genuine) throw new AppError('FORBIDDEN');

    const status = validInstance(TwilioStatusForm, form, 'ignore');
    await recordDeliveryStatus(context, {
      messageId: id('messageId', 'ROUTE_NOT_FOUND'),
      sid: status.MessageSid,
      messageStatus: status.MessageStatus,
      errorCode: status.ErrorCode,
    });
  });
}
