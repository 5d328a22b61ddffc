import type { Transaction } from '@fiado/chassis/db/database';
import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import { CHANGE_KINDS, ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import { lockCreditBalance } from '../db/credit-balances.repository';
import type { Deposit } from '../db/deposit';
import { assignedAloneCents } from '../db/deposit-decisions.repository';
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
    const isAlone = needsSecondPerson(context.config.FOUR_EYES, by);
    if (isAlone && (await isTooMuchAlone(tx, deposit, assignment))) {
      const change = { by, kind: 'deposit.assign', payload: assignment } as const;
      return requestDepositChange(tx, deposit, change);
    }
    const decision = { ...assignment, decidedBy: by.id, isAlone };
    return assignLockedDeposit(context, tx, deposit, decision);
  });
  if (!(assigned instanceof ChangeRequested)) countDeposit('assigned');
  context.relay.wake();
  return assigned;
}

/**
 * Whether this deposit, with those that single persons assigned to the same store lately, is above
 * the threshold: many small ones, of any number of people, would be a large one otherwise.
 */
async function isTooMuchAlone(
  tx: Transaction,
  { valorCents }: Deposit,
  { cornerStoreId, userId }: { cornerStoreId: string; userId: string },
): Promise<boolean> {
  // Two assignments to one store, one after the other: the second one counts the first.
  await lockCreditBalance(tx, userId);
  const aloneCents = await assignedAloneCents(tx, cornerStoreId);
  return valorCents + aloneCents > CHANGE_KINDS['deposit.assign'].aboveCents;
}
