import { Loop } from '@fiado/shared/chassis/loop';
import type { Logger } from '@fiado/shared/chassis/logger';
import type { Context } from '../context';
import { sendDueWebhooks, WEBHOOK_LOOP } from '../use-cases/send-due-webhooks';

/** How often deliveries are looked for that are due again, or that another process has stored. */
const ROUND_MS = 500;

/** @param context is complete once the loop runs, and has this loop */
export function createWebhookSender(log: Logger, context: () => Omit<Context, 'sender'>): Loop {
  return new Loop(log, {
    name: WEBHOOK_LOOP,
    everyMs: ROUND_MS,
    round: () => sendDueWebhooks(context()),
  });
}
