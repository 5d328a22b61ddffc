import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import type { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { countDeposit } from '../metrics';
import { requestDepositChange } from '../steps/request-deposit-change';
import { isAssigned, unassignLockedDeposit } from '../steps/unassign-locked-deposit';

export interface UnassignDeposit {
  depositId: string;
  reason: string;
  by: Caller;
}

/**
 * Takes an applied deposit away from the wrong store by new rows; it is unmatched again, to be
 * assigned to the right one. A person's request waits for a second person, whatever the amount.
 * @throws AppError DEPOSIT_NOT_FOUND, DEPOSIT_IS_NOT_ASSIGNED, CHANGE_ALREADY_REQUESTED
 */
export async function unassignDeposit(
  context: Context,
  { depositId, reason, by }: UnassignDeposit,
): Promise<Deposit | ChangeRequested> {
  const result = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    if (!isAssigned(deposit)) throw new AppError('DEPOSIT_IS_NOT_ASSIGNED');
    if (needsSecondPerson(context.config.FOUR_EYES, by)) {
      const change = { by, kind: 'deposit.unassign', payload: { reason }, reason } as const;
      return requestDepositChange(tx, deposit, change);
    }
    return unassignLockedDeposit(context, tx, deposit, { reason, decidedBy: by.id });
  });
  if ('status' in result) countDeposit('unassigned');
  context.relay.wake();
  return result;
}
