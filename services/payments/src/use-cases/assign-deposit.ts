import { isUUID } from 'class-validator';
import { query } from '@fiado/shared/chassis/db/query';
import { insertRow } from '@fiado/shared/chassis/db/rows';
import { AppError } from '@fiado/shared/contracts/errors';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { lockDeposit } from '../db/deposits.repository';
import { countDeposit } from '../metrics';
import { distributeDeposit } from '../steps/distribute-deposit';

export interface AssignDeposit {
  depositId: string;
  cornerStoreId: string;
  /** Id of the ops credential. */
  decidedBy: string;
}

/**
 * payments knows a corner store from its first delivery on, so it cannot distinguish the two cases.
 */
const NEVER_OWED =
  'The corner store does not exist, or it never had a delivery and so has no debt to pay';

/**
 * Applies an unmatched deposit to the debt of the corner store that ops found for it.
 * @throws AppError DEPOSIT_NOT_FOUND
 * @throws AppError CORNER_STORE_NOT_FOUND also for one that never had a delivery
 * @throws AppError DEPOSIT_IS_NOT_UNMATCHED
 */
export async function assignDeposit(
  context: Context,
  { depositId, cornerStoreId, decidedBy }: AssignDeposit,
): Promise<Deposit> {
  const assigned = await context.db.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, depositId);
    if (deposit === undefined) throw new AppError('DEPOSIT_NOT_FOUND');
    const [balance] = isUUID(cornerStoreId)
      ? await query<{ userId: string }>(
          tx,
          'SELECT user_id FROM credit_balances WHERE corner_store_id = $1',
          [cornerStoreId],
        )
      : [];
    if (balance === undefined)
      throw new AppError('CORNER_STORE_NOT_FOUND', { message: NEVER_OWED });
    if (deposit.status !== 'unmatched') throw new AppError('DEPOSIT_IS_NOT_UNMATCHED');

    await insertRow(tx, 'deposit_decisions', {
      depositId,
      decision: 'assigned',
      decidedBy,
      cornerStoreId,
    });
    const { userId } = balance;
    await distributeDeposit(context, tx, deposit, { userId, receivableId: null });
    return { ...deposit, status: 'applied' as const, userId };
  });
  countDeposit('assigned');
  context.relay.wake();
  return assigned;
}
