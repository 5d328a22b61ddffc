import { IsOptional, Matches } from 'class-validator';
import { IsText } from '@fiado/contracts/decorators';
import type { RequestHandler } from 'express';
import { idParam } from '@fiado/chassis/http/params';
import type { Callback } from '@fiado/chassis/http/server';
import { validInstance } from '@fiado/chassis/http/validation';
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
  if (isFromTwilio === undefined) return [];
  const handle = handleTwilioCallback(context, isFromTwilio);
  return [{ path: '/v1/callbacks/twilio/:messageId', handle }];
}

/** POST /v1/callbacks/twilio/{messageId}: where a message is; signed, repeated and unordered. */
function handleTwilioCallback(context: Context, isFromTwilio: SignatureCheck): RequestHandler {
  return async (req, res) => {
    const form = { ...(req.body as Record<string, unknown> | undefined) };
    const genuine = await isFromTwilio(req.originalUrl, req.get('x-twilio-signature'), form);
    if (!genuine) throw new AppError('FORBIDDEN');

    const { MessageSid, MessageStatus, ErrorCode } = validInstance(
      TwilioStatusForm,
      form,
      'ignore',
    );
    await recordDeliveryStatus(context, {
      messageId: idParam(req, 'messageId', 'ROUTE_NOT_FOUND'),
      sid: MessageSid,
      messageStatus: MessageStatus,
      errorCode: ErrorCode,
    });
    res.status(204).end();
  };
}
