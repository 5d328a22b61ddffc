import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow, updateRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { undoDeposit } from './undo-deposit';

/**
 * Undoes a locked deposit that is not reversed: the money is gone.
 * @param decision with the id of the ops credential or the person
 */
export async function reverseLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { reason, decidedBy }: { reason: string; decidedBy: string },
): Promise<Deposit> {
  const { id: depositId, userId, unassignments } = deposit;
  const decision = { depositId, decision: 'reversed', unassignments, decidedBy, reason };
  await insertRow(tx, 'deposit_decisions', decision);
  await updateRow(tx, 'deposits', depositId, { status: 'reversed' });
  if (userId !== null) await undoDeposit(context, tx, { ...deposit, userId }, 'reversal');
  return { ...deposit, status: 'reversed' };
}
