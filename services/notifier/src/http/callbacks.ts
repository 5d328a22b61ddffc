import type { Callback } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleTwilioCallback } from './receive-twilio-callback';

/** Callbacks of providers; none if no provider has a callback address. */
export function callbacks(context: Context): Callback[] {
  const { isFromTwilio } = context;
  if (isFromTwilio === undefined) return [];
  return [
    {
      path: '/v1/callbacks/twilio/:messageId',
      handle: handleTwilioCallback(context, isFromTwilio),
    },
  ];
}
