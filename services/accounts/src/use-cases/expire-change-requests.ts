import { Loop } from '@fiado/chassis/loop';
import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { CHANGE_KINDS } from '@fiado/contracts/change-requests';
import type { Context } from '../context';
import { expireChanges } from '../db/change-requests.repository';
import { paymentsDecisionRows } from '../steps/payments-decision-rows';

/** A decision looks at the time itself; the loop only shows what is over. */
const EVERY_MS = 60_000;
const BATCH_SIZE = 100;

/** Expires changes that nobody decided in time. */
export function createChangeExpiry(context: Context): Loop {
  return new Loop(context.log, {
    name: 'change-expiry',
    everyMs: EVERY_MS,
    round: () => expireChangeRequests(context),
  });
}

/** One batch. @returns whether there may be more */
export async function expireChangeRequests({
  db,
  relay,
}: Pick<Context, 'db' | 'relay'>): Promise<boolean> {
  const expired = await db.transaction(async (tx) => {
    const changes = await expireChanges(tx, BATCH_SIZE);
    const jobs = changes
      .filter(({ kind }) => CHANGE_KINDS[kind].owner === 'payments')
      .flatMap((change) => paymentsDecisionRows(change, false));
    await appendToOutbox(tx, jobs);
    return changes;
  });
  relay.wake();
  return expired.length === BATCH_SIZE;
}
