import type { Transaction } from '@fiado/chassis/db/database';
import { tellOutcome } from '@fiado/chassis/outbox/change-jobs';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import {
  type ChangeDecided,
  paymentsChangeExecuted,
  targetOf,
} from '@fiado/contracts/jobs/changes';
import type { Context } from '../context';
import { countDeposit } from '../metrics';
import { assignLockedDeposit } from './assign-deposit';
import { type Deposit, lockDeposit } from './deposit';
import { takeDepositChange, type WaitingDepositChange } from './deposit-changes';
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
  { changeRequestId, isApproved, ...about }: ChangeDecided,
): Promise<void> {
  const made = await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return undefined;
    // First the deposit, as where a change of it is asked for.
    const deposit = await lockDeposit(tx, targetOf(about));
    const change = await takeDepositChange(tx, changeRequestId);
    if (change === undefined || !isApproved) return undefined;
    const isMade = await makeChange(context, tx, deposit, change);
    const outcome = { changeRequestId, failure: isMade ? undefined : 'STALE' };
    await tellOutcome(tx, paymentsChangeExecuted, outcome);
    return isMade ? change : undefined;
  });
  if (made !== undefined) countDeposit(EVENTS[made.kind]);
  context.relay.wake();
}

/** @returns false when the deposit has moved on */
async function makeChange(
  context: Context,
  tx: Transaction,
  deposit: Deposit | null,
  { depositVersion: version, kind, payload, requestedBy }: WaitingDepositChange,
): Promise<boolean> {
  if (deposit === null || depositVersion(deposit) !== version) return false;
  const decidedBy = requestedBy;
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
