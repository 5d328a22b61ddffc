import { Loop } from '@fiado/chassis/loop';
import type { Foundation } from '@fiado/chassis/service';
import type { Context } from '../context';
import { sendDueWebhooks, WEBHOOK_LOOP } from '../use-cases/send-due-webhooks';

/** @param context is complete once the loop runs, and has this loop */
export function createWebhookSender(
  { log, timing }: Pick<Foundation, 'log' | 'timing'>,
  context: () => Omit<Context, 'sender'>,
): Loop {
  return new Loop(log, {
    name: WEBHOOK_LOOP,
    everyMs: timing.sendWebhooks,
    round: () => sendDueWebhooks(context()),
  });
}
