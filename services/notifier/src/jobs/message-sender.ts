import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { SENDER_LOOP, sendDueMessages } from '../use-cases/send-due-messages';

/** How often messages are looked for that are due again, or that a dead process left behind. */
const ROUND_MS = 1_000;

export function createMessageSender(context: Context): Loop {
  return new Loop({
    name: SENDER_LOOP,
    everyMs: ROUND_MS,
    log: context.log,
    round: () => sendDueMessages(context),
  });
}
