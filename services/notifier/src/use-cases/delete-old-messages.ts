import type { Context } from '../context';
import { deleteOldMessages as deleteBatch } from '../db/delete-old-messages';

/** How long ops can look a message up: a dispute over an order is over by then. */
const KEEP_DAYS = 90;
/** Messages of one round: some 50 ms of work, so that nothing else waits for it. */
const BATCH_SIZE = 1_000;

/** Deletes a batch of old messages. @returns whether there may be more */
export async function deleteOldMessages({ db, log }: Context): Promise<boolean> {
  const deleted = await deleteBatch(db, { keepDays: KEEP_DAYS, limit: BATCH_SIZE });
  if (deleted > 0) log.info({ deleted }, 'old messages deleted');
  return deleted === BATCH_SIZE;
}
