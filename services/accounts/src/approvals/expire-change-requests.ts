import { appendToOutbox } from '@fiado/chassis/outbox/append';
import { CHANGE_KINDS } from '@fiado/contracts/change-requests';
import type { Context } from '../context';
import { expireChanges } from './change-requests.sql';
import { paymentsDecisionRows } from './decide-change-request';

const BATCH_SIZE = 100;

/** Expires a batch of changes that nobody decided in time. @returns whether there may be more */
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
