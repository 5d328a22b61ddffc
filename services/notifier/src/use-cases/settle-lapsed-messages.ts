import type { Context } from '../context';
import { wipeExpiredUnknown } from '../db/resend-unknown';
import { SETTLE_BATCH, settleLapsed } from '../db/settle-lapsed';
import { countSms } from '../metrics';

/**
 * One round: ends messages whose time is over, and those whose sender was lost; wipes expired unknown ones.
 * @returns whether there may be more
 */
export async function settleLapsedMessages({ db, keepsBodies, log }: Context): Promise<boolean> {
  const lapsed = await settleLapsed(db, !keepsBodies);
  for (const { id, template, status, waitedBehindCap } of lapsed) {
    // A crashed sender counts as a network failure.
    countSms({ template, outcome: status, ...(status === 'unknown' && { reason: 'SENDER_LOST' }) });
    if (waitedBehindCap) countSms({ template, outcome: 'wholesaler-cap' });
    log.warn({ messageId: id, status, waitedBehindCap }, 'message expired');
  }
  const wiped = keepsBodies ? 0 : await wipeExpiredUnknown(db, SETTLE_BATCH);
  return lapsed.length === SETTLE_BATCH || wiped === SETTLE_BATCH;
}
