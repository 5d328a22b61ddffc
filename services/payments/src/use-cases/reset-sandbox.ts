import type { Transaction } from '@fiado/chassis/db/database';
import { depositHash } from '../domain/deposit-hash';
import { newId } from '@fiado/contracts/new-id';
import type { Context } from '../context';
import { lockCreditBalance } from '../db/credit-balances.repository';
import { lockDeposit } from '../db/deposits.repository';
import { insertDeposit } from '../db/insert-deposit';
import { owedCentsOf } from '../db/receivables.repository';
import { distributeDeposit } from '../steps/distribute-deposit';
import { endOrders } from './end-orders';
import { sandboxNotice } from '../steps/sandbox-notice';

export interface Reset {
  /** Open orders that were cancelled. */
  cancelled: number;
  /** Customers whose debts were paid. */
  cleared: number;
  /** Corner stores that were left alone, because they are another wholesaler's too. */
  skipped: string[];
}

/**
 * Begins a sandbox of one wholesaler anew: cancels its open orders, and pays all debts of its
 * customers with deposits that nobody made. Nothing is deleted, and all sums hold.
 * @throws AppError SERVICE_UNAVAILABLE when transactions cannot be reached
 */
export async function resetSandbox(
  context: Context,
  { wholesalerId }: { wholesalerId: string },
): Promise<Reset> {
  const { ended, owed, skipped } = await endOrders(context, { wholesalerId });
  let cleared = 0;
  for (const userId of new Set(owed.map((debt) => debt.userId))) {
    const isPaid = await context.db.transaction((tx) => payDebtsOf(context, tx, userId));
    if (isPaid) cleared += 1;
  }
  context.relay.wake();
  return { cancelled: ended, cleared, skipped };
}

/** @returns false when the user owes nothing (any more) */
async function payDebtsOf(context: Context, tx: Transaction, userId: string): Promise<boolean> {
  // Under the lock of its user, a debt cannot be paid twice.
  const balance = await lockCreditBalance(tx, userId);
  const valorCents = await owedCentsOf(tx, userId);
  if (balance === undefined || valorCents === 0) return false;

  const { numeroReferencia } = balance;
  const notice = sandboxNotice(context, { idFactura: '', numeroReferencia, valorCents });
  const bodyHash = depositHash(notice);
  const { id } = await insertDeposit(tx, { ...notice, id: newId(), bodyHash }, []);
  const deposit = await lockDeposit(tx, id);
  if (deposit === undefined) throw new Error('A deposit that was just stored must be found');
  await distributeDeposit(context, tx, deposit, { userId, receivableId: null });
  return true;
}
