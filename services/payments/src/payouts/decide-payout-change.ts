import type { Transaction } from '@fiado/chassis/db/database';
import { timeOf } from '@fiado/chassis/db/query';
import { tellOutcome } from '@fiado/chassis/outbox/change-jobs';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import {
  type ChangeDecided,
  paymentsChangeExecuted,
  targetOf,
} from '@fiado/contracts/jobs/changes';
import type { Context } from '../context';
import { cancelPayout, lockPayout, type Payout, returnPayout, spendReturned } from './payout';
import { PayoutRow } from './payout.entity';

/**
 * Makes an approved payout, or books one back, once. A rejected or expired payout gives its money
 * back to the balance. One whose money was taken back meanwhile is left alone.
 */
export async function decidePayoutChange(
  context: Context,
  messageId: string,
  { changeRequestId, isApproved, ...about }: ChangeDecided,
): Promise<void> {
  const payoutId = targetOf(about);
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const payout = await lockPayout(tx, payoutId);
    const isMade =
      payout !== null &&
      (changeRequestId === payoutId
        ? await decidePayout(tx, payout, isApproved)
        : await decideReturn(tx, payout, { changeRequestId, isApproved }));
    if (!isApproved) return;
    const outcome = { changeRequestId, failure: isMade ? undefined : CHANGE_TARGET_CHANGED };
    await tellOutcome(tx, paymentsChangeExecuted, outcome);
  });
  context.relay.wake();
}

/** @returns false when the payout has moved on */
async function decidePayout(
  tx: Transaction,
  payout: Payout,
  isApproved: boolean,
): Promise<boolean> {
  if (payout.status !== 'requested') return false;
  if (isApproved) {
    await tx.manager.update(PayoutRow, payout.id, { status: 'paid', paidAt: await timeOf(tx) });
    return true;
  }
  await cancelPayout(tx, payout);
  await spendReturned(tx, payout.userId);
  return true;
}

/** @returns false when the payout has moved on */
async function decideReturn(
  tx: Transaction,
  payout: Payout,
  { changeRequestId, isApproved }: { changeRequestId: string; isApproved: boolean },
): Promise<boolean> {
  if (payout.returnRequestedId !== changeRequestId) return false;
  if (isApproved) {
    await returnPayout(tx, payout);
  } else {
    const none = { returnRequestedId: null, returnRequestedBy: null };
    await tx.manager.update(PayoutRow, payout.id, none);
  }
  return true;
}
