import { timeOf } from '@fiado/chassis/db/query';
import { decideChange } from '@fiado/chassis/outbox/waiting-changes';
import { CHANGE_TARGET_CHANGED } from '@fiado/contracts/change-requests';
import { type ChangeDecided, paymentsChangeExecuted } from '@fiado/contracts/jobs/changes';
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
  decided: ChangeDecided,
): Promise<void> {
  await decideChange<'payout.pay' | 'payout.return', Payout | null>(context, messageId, decided, {
    executed: paymentsChangeExecuted,
    // Whoever books a payout back alone deletes the request of another person.
    whenGone: CHANGE_TARGET_CHANGED,
    lock: (tx, { targetId }) => lockPayout(tx, targetId),
    make: async (tx, { kind }, { target: payout }) => {
      const before = kind === 'payout.pay' ? 'requested' : 'paid';
      if (payout?.status !== before) return CHANGE_TARGET_CHANGED;
      if (kind === 'payout.return') {
        await returnPayout(tx, payout);
      } else {
        const paid = { status: 'paid', paidAt: await timeOf(tx) } as const;
        await tx.manager.update(PayoutRow, payout.id, paid);
      }
      return undefined;
    },
    refuse: async (tx, { kind }, _refusal, payout) => {
      if (kind !== 'payout.pay' || payout?.status !== 'requested') return;
      await cancelPayout(tx, payout);
      await spendReturned(tx, payout.userId);
    },
  });
}
