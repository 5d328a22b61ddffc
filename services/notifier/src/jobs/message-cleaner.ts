import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { deleteOldMessages } from '../use-cases/delete-old-messages';

/** How often old messages are looked for: nobody waits for them to go. */
const ROUND_MS = 3_600_000;

export function createMessageCleaner(context: Context): Loop {
  return new Loop({
    name: 'message cleaner',
    everyMs: ROUND_MS,
    log: context.log,
    round: () => deleteOldMessages(context),
  });
}
