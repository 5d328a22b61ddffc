import type { Context } from '../context';
import { deleteOldEvents as deleteBatch } from '../db/delete-old-events';

/** How long an event can be listed and sent again. */
const KEEP_DAYS = 30;
/** Events of one round: some 50 ms of work, so that nothing else waits for it. */
const BATCH_SIZE = 1_000;

/** Deletes a batch of old events. @returns whether there may be more */
export async function deleteOldEvents({ db, log }: Context): Promise<boolean> {
  const deleted = await deleteBatch(db, { keepDays: KEEP_DAYS, limit: BATCH_SIZE });
  if (deleted > 0) log.info({ deleted }, 'old events deleted');
  return deleted === BATCH_SIZE;
}
