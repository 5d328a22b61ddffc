import type { Transaction } from '@fiado/shared/chassis/db/database';
import type { Context } from '../context';
import { moveCreditBalance, type CreditBalance } from '../db/credit-balances.repository';
import { payReceivables } from './pay-receivables';

/**
 * Uses a locked credit balance for what its user owes, oldest due first. A user with a credit
 * balance had no debt until now, so this can close no default.
 */
export async function spendCreditBalance(
  context: Context,
  tx: Transaction,
  { userId, balanceCents }: CreditBalance,
): Promise<void> {
  if (balanceCents === 0) return;
  const { leftCents } = await payReceivables(context, tx, {
    userId,
    amountCents: balanceCents,
    depositId: null,
    receivableId: null,
  });

  if (leftCents === balanceCents) return;
  await moveCreditBalance(tx, userId, {
    cause: 'spent',
    depositId: null,
    cents: leftCents - balanceCents,
  });
}
