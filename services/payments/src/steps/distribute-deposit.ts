import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import { lockCreditBalance, moveCreditBalance } from '../db/credit-balances.repository';
import type { Deposit } from '../db/deposit';
import { insertNotice } from '../db/notices.repository';
import type { Match } from '../domain/match-references';
import { payReceivables } from './pay-receivables';
import { tellDefaultsChanged } from './tell-defaults-changed';

/**
 * Distributes a locked deposit: to the receivable that it names, then to the oldest due ones of the
 * user, and the rest to the user's credit balance.
 */
export async function distributeDeposit(
  context: Context,
  tx: Transaction,
  { id: depositId, unassignments, valorCents }: Deposit,
  { userId, receivableId }: Match,
): Promise<void> {
  const balance = await lockCreditBalance(tx, userId);
  if (balance === undefined)
    throw new Error('A user with a payment reference has a credit balance');
  const { leftCents, closed } = await payReceivables(context, tx, {
    userId,
    amountCents: valorCents,
    source: { id: depositId, unassignments },
    receivableId,
  });

  if (leftCents > 0) {
    await moveCreditBalance(tx, userId, { cause: 'surplus', depositId, cents: leftCents });
  }
  await updateRow(tx, 'deposits', depositId, { status: 'applied', userId });
  await insertNotice(tx, {
    kind: 'payment-received',
    subjectId: depositId,
    unassignments,
    cornerStoreId: balance.cornerStoreId,
    notBefore: context.clock.now(),
  });
  await tellDefaultsChanged(tx, [{ cornerStoreId: balance.cornerStoreId, opened: [], closed }]);
}
