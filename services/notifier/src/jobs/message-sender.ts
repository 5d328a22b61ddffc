import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { SENDER_LOOP, sendDueMessages } from '../use-cases/send-due-messages';

/** How often due messages are looked for; a new message wakes the sender at once. */
const ROUND_MS = 1_000;

/** @param context is complete once the loop runs */
export function createMessageSender(context: Omit<Context, 'sender'>): Loop {
  return new Loop(context.log, {
    name: SENDER_LOOP,
    everyMs: ROUND_MS,
    round: () => sendDueMessages(context),
  });
}
