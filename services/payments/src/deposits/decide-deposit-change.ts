import type { Transaction } from '@fiado/chassis/db/database';
import { decideChange, type WaitingChange } from '@fiado/chassis/outbox/waiting-changes';
import { type ChangeDecided, paymentsChangeExecuted } from '@fiado/contracts/jobs/changes';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { assignLockedDeposit } from './assign-deposit';
import { type Deposit, lockDeposit } from './deposit';
import type { DepositChange } from './deposit-changes';
import { depositVersion } from './deposit.rules';
import { reverseLockedDeposit } from './reverse-deposit';
import { isAssigned, unassignLockedDeposit } from './unassign-deposit';

/** Under which the metric counts a change that was made. */
const EVENTS = {
  'deposit.assign': 'assigned',
  'deposit.unassign': 'unassigned',
  'deposit.reverse': 'reversed',
} as const;

/**
 * Makes an approved change of a deposit, once, or forgets a rejected or expired one. A deposit that
 * has moved on since the request is left alone: the second person approved something else.
 */
export async function decideDepositChange(
  context: Context,
  messageId: string,
  decided: ChangeDecided,
): Promise<void> {
  const made = await decideChange<DepositChange, Deposit | null>(context, messageId, decided, {
    executed: paymentsChangeExecuted,
    lock: (tx, { targetId }) => lockDeposit(tx, targetId),
    make: async (tx, change, { target }) =>
      (await makeChange(context, tx, target, change)) ? undefined : 'STALE',
  });
  if (made !== undefined) countDeposit(EVENTS[made.kind]);
}

/** @returns false when the deposit has moved on */
async function makeChange(
  context: Context,
  tx: Transaction,
  deposit: Deposit | null,
  { kind, payload, requestedBy: decidedBy }: WaitingChange<DepositChange>,
): Promise<boolean> {
  const { depositVersion: version } = payload as { depositVersion: number };
  if (deposit === null || depositVersion(deposit) !== version) return false;
  switch (kind) {
    case 'deposit.assign': {
      const { cornerStoreId, userId } = payload as { cornerStoreId: string; userId: string };
      await assignLockedDeposit(context, tx, deposit, { cornerStoreId, userId, decidedBy });
      return true;
    }
    case 'deposit.unassign': {
      if (!isAssigned(deposit)) return false;
      const { reason } = payload as { reason: string };
      await unassignLockedDeposit(context, tx, deposit, { reason, decidedBy });
      return true;
    }
    case 'deposit.reverse': {
      const { reason } = payload as { reason: string };
      await reverseLockedDeposit(context, tx, deposit, { reason, decidedBy });
      return true;
    }
  }
}
