import { Loop } from '@fiado/chassis/loop';
import type { Context } from '../context';
import { SENDER_LOOP, sendDueMessages } from '../use-cases/send-due-messages';

/** @param context is complete once the loop runs */
export function createMessageSender(context: Omit<Context, 'sender'>): Loop {
  return new Loop(context.log, {
    name: SENDER_LOOP,
    everyMs: context.timing.sendMessages,
    round: () => sendDueMessages(context),
  });
}
