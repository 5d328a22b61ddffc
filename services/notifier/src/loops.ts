import { type Loop, loopOf } from '@fiado/chassis/loop';
import type { Context } from './context';
import { deleteOldEvents } from './events/delete-old-events';
import { deleteProviderCopies, PROVIDER_COPIES } from './messages/delete-provider-copies';
import { deleteOldMessages } from './messages/delete-old-messages';
import { settleLapsedMessages } from './messages/settle-lapsed-messages';
import { settleDeliveries } from './webhooks/settle-deliveries';

/** How often old messages are deleted. Nothing depends on their deletion. */
const CLEAN_EVERY_MS = 3_600_000;
/** How often copies at the SMS provider are looked for. There are some only after a block. */
const DELETE_COPIES_EVERY_MS = 5_000;

/** The loops of this service. */
export function loops(context: Context): Loop[] {
  const roles = context.config.NOTIFIER_ROLES.split(',');
  return [
    ...(roles.includes('sms') ? smsLoops(context) : []),
    ...(roles.includes('webhooks') ? webhookLoops(context) : []),
    loopOf(context, { name: 'message cleaner', everyMs: CLEAN_EVERY_MS, round: deleteOldMessages }),
    loopOf(context, { name: 'event cleaner', everyMs: CLEAN_EVERY_MS, round: deleteOldEvents }),
  ];
}

function smsLoops(context: Context): Loop[] {
  const { releaser, follower, sender, timing, config } = context;
  return [
    releaser,
    ...(config.OUTGOING === 'on' ? [sender.loop, follower] : []),
    loopOf(context, {
      name: 'message settler',
      everyMs: timing.settle,
      round: settleLapsedMessages,
    }),
    loopOf(context, {
      name: PROVIDER_COPIES,
      everyMs: DELETE_COPIES_EVERY_MS,
      round: deleteProviderCopies,
    }),
  ];
}

function webhookLoops(context: Context): Loop[] {
  const { webhookSender, timing, config } = context;
  return [
    ...(config.OUTGOING === 'on' ? [webhookSender.loop] : []),
    loopOf(context, { name: 'webhook settler', everyMs: timing.settle, round: settleDeliveries }),
  ];
}
