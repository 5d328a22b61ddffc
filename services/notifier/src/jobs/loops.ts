import { Loop } from '@fiado/shared/chassis/loop';
import type { Context } from '../context';
import { deleteOldEvents } from '../use-cases/delete-old-events';
import { deleteOldMessages } from '../use-cases/delete-old-messages';
import { settleLapsedMessages } from '../use-cases/settle-lapsed-messages';

/** How often messages are looked for whose time is over, or whose sender was lost. */
const SETTLE_EVERY_MS = 5_000;

/** How often old messages are looked for: nobody waits for them to go. */
const CLEAN_EVERY_MS = 3_600_000;

/** What this service does by the clock. */
export function loops(context: Context): Loop[] {
  const { log, sender } = context;
  return [
    sender,
    new Loop({
      name: 'message settler',
      everyMs: SETTLE_EVERY_MS,
      log,
      round: () => settleLapsedMessages(context),
    }),
    new Loop({
      name: 'message cleaner',
      everyMs: CLEAN_EVERY_MS,
      log,
      round: () => deleteOldMessages(context),
    }),
    new Loop({
      name: 'event cleaner',
      everyMs: CLEAN_EVERY_MS,
      log,
      round: () => deleteOldEvents(context),
    }),
  ];
}
