import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow, updateRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { undoDeposit } from './undo-deposit';

/**
 * Takes a locked, applied deposit away from the store whose debt it paid: it is unmatched again, and
 * can be assigned to another.
 * @param decision with the id of the ops credential or the person
 */
export async function unassignLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit & { userId: string },
  { reason, decidedBy }: { reason: string; decidedBy: string },
): Promise<Deposit> {
  const { id: depositId, unassignments } = deposit;
  const { cornerStoreId } = await undoDeposit(context, tx, deposit, 'unassigned');
  const decision = { decision: 'unassigned', unassignments, decidedBy, cornerStoreId, reason };
  await insertRow(tx, 'deposit_decisions', { depositId, ...decision });
  const unmatched = {
    status: 'unmatched',
    unmatchedReason: 'unassigned',
    userId: null,
    unassignments: unassignments + 1,
  } as const;
  await updateRow(tx, 'deposits', depositId, unmatched);
  return { ...deposit, ...unmatched };
}

/** Whether a deposit pays a store's debt, so that it can be taken away from it. */
export function isAssigned(deposit: Deposit): deposit is Deposit & { userId: string } {
  return deposit.status === 'applied' && deposit.userId !== null;
}
