import type { Transaction } from '@fiado/chassis/db/database';
import { insertRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import type { Deposit } from '../db/deposit';
import { distributeDeposit } from './distribute-deposit';

export interface Assignment {
  cornerStoreId: string;
  /** The user of that corner store. */
  userId: string;
  /** Id of the ops credential or the person. */
  decidedBy: string;
  /** One person decides, without a second one. */
  isAlone?: boolean;
}

/** Applies a locked, unmatched deposit to the debt of a corner store. */
export async function assignLockedDeposit(
  context: Context,
  tx: Transaction,
  deposit: Deposit,
  { cornerStoreId, userId, decidedBy, isAlone }: Assignment,
): Promise<Deposit> {
  await insertRow(tx, 'deposit_decisions', {
    depositId: deposit.id,
    decision: 'assigned',
    unassignments: deposit.unassignments,
    decidedBy,
    cornerStoreId,
    aloneCents: isAlone === true ? deposit.valorCents : undefined,
  });
  await distributeDeposit(context, tx, deposit, { userId, receivableId: null });
  return { ...deposit, status: 'applied', userId };
}
