import { needsSecondPerson } from '@fiado/chassis/four-eyes';
import type { Caller } from '@fiado/contracts/caller';
import { ChangeRequested } from '@fiado/contracts/change-requests';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { countDeposit } from '../metrics';
import { requestDepositChange } from '../steps/request-deposit-change';
import { reverseLockedDeposit } from '../steps/reverse-locked-deposit';

export interface ReverseDeposit {
  depositId: string;
  reason: string;
  by: Caller;
}

/**
 * Undoes a deposit by new rows: what it paid is owed again, and its surplus leaves the credit
 * balance. Reversing it again changes nothing. A person's request waits for a second person.
 * @throws AppError DEPOSIT_NOT_FOUND, CHANGE_ALREADY_REQUESTED
 */
export async function reverseDeposit(
  context: Context,
  { depositId, reason, by }: ReverseDeposit,
): Promise<Deposit | ChangeRequested> {
  const { result, isNew } = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    if (deposit.status === 'reversed') return { result: deposit, isNew: false };
    if (needsSecondPerson(context.config.FOUR_EYES, by)) {
      const change = { by, kind: 'deposit.reverse', payload: { reason }, reason } as const;
      return { result: await requestDepositChange(tx, deposit, change), isNew: false };
    }
    const decision = { reason, decidedBy: by.id };
    return { result: await reverseLockedDeposit(context, tx, deposit, decision), isNew: true };
  });
  if (isNew) countDeposit('reversed');
  context.relay.wake();
  return result;
}
