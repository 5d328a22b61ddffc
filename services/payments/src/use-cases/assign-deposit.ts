import { needsSecondPerson } from '@fiado/shared/chassis/four-eyes';
import type { Caller } from '@fiado/shared/contracts/caller';
import { CHANGE_KINDS, ChangeRequested } from '@fiado/shared/contracts/change-requests';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { countDeposit } from '../metrics';
import { assignLockedDeposit } from '../steps/assign-locked-deposit';
import { findIndebtedUser } from '../steps/find-indebted-user';
import { requestDepositChange } from '../steps/request-deposit-change';

export interface AssignDeposit {
  depositId: string;
  cornerStoreId: string;
  by: Caller;
}

/**
 * Applies an unmatched deposit to the debt of the corner store that ops found for it. A person's
 * request waits for a second person above a threshold.
 * @throws AppError DEPOSIT_NOT_FOUND
 * @throws AppError CORNER_STORE_NOT_FOUND also for one that never had a delivery
 * @throws AppError DEPOSIT_IS_NOT_UNMATCHED
 */
export async function assignDeposit(
  context: Context,
  { depositId, cornerStoreId, by }: AssignDeposit,
): Promise<Deposit | ChangeRequested> {
  const assigned = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    const userId = await findIndebtedUser(tx, cornerStoreId);
    if (deposit.status !== 'unmatched') throw new AppError('DEPOSIT_IS_NOT_UNMATCHED');

    const assignment = { cornerStoreId, userId };
    const { aboveCents } = CHANGE_KINDS['deposit.assign'];
    if (deposit.valorCents > aboveCents && needsSecondPerson(context.config.FOUR_EYES, by)) {
      const change = { by, kind: 'deposit.assign', payload: assignment } as const;
      return requestDepositChange(tx, deposit, change);
    }
    return assignLockedDeposit(context, tx, deposit, { ...assignment, decidedBy: by.id });
  });
  if (!(assigned instanceof ChangeRequested)) countDeposit('assigned');
  context.relay.wake();
  return assigned;
}
