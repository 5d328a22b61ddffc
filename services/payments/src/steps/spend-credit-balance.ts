import type { Transaction } from '@fiado/chassis/db/database';
import type { Context } from '../context';
import { moveCreditBalance, type CreditBalance } from '../db/credit-balances.repository';
import { payReceivables } from './pay-receivables';

/**
 * Uses a locked credit balance for what its user owes, oldest due first.
 * @returns transactions whose default this closed: of money that was reserved while they fell due
 */
export async function spendCreditBalance(
  context: Context,
  tx: Transaction,
  { userId, balanceCents }: CreditBalance,
): Promise<string[]> {
  if (balanceCents === 0) return [];
  const { leftCents, closed } = await payReceivables(context, tx, {
    userId,
    amountCents: balanceCents,
    source: null,
    receivableId: null,
  });

  if (leftCents < balanceCents) {
    await moveCreditBalance(tx, userId, { cause: 'spent', cents: leftCents - balanceCents });
  }
  return closed;
}
