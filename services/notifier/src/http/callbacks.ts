import type { Callback } from '@fiado/shared/chassis/http/server';
import type { Context } from '../context';
import { handleTwilioCallback } from './receive-twilio-callback';

/** What providers post to the notifier; nothing where none was told an address. */
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
