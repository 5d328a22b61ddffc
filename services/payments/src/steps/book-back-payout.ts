import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import { lockCreditBalance, moveCreditBalance } from '../db/credit-balances.repository';
import type { Payout } from '../db/payouts.repository';
import { spendCreditBalance } from './spend-credit-balance';
import { tellDefaultsChanged } from './tell-defaults-changed';

/** Gives the reserved money of a requested payout back to the locked credit balance. */
export async function cancelPayout(
  tx: Transaction,
  { id, userId, amountCents }: Payout,
): Promise<void> {
  await updateRow(tx, 'payouts', id, { status: 'cancelled' });
  const movement = { cause: 'payout-cancelled', payoutId: id, cents: amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
}

/** Gives the money of a paid payout, which the bank sent back, to the locked credit balance. */
export async function returnPayout(
  context: Context,
  tx: Transaction,
  payout: Payout,
): Promise<Payout> {
  const { id, userId, amountCents } = payout;
  const returned = {
    status: 'returned',
    returnedAt: context.clock.now(),
    returnRequestedId: null,
    returnRequestedBy: null,
  } as const;
  await updateRow(tx, 'payouts', id, returned);
  const movement = { cause: 'payout-returned', payoutId: id, cents: amountCents } as const;
  await moveCreditBalance(tx, userId, movement);
  await spendReturned(context, tx, userId);
  return { ...payout, ...returned };
}

/** Money that comes back pays what the user owes by now: no user has both debt and a balance. */
export async function spendReturned(
  context: Context,
  tx: Transaction,
  userId: string,
): Promise<void> {
  const balance = await lockCreditBalance(tx, userId);
  if (balance === undefined) throw new Error('A payout has a credit balance');
  const closed = await spendCreditBalance(context, tx, balance);
  const { cornerStoreId } = balance;
  await tellDefaultsChanged(tx, [{ cornerStoreId, opened: [], closed }]);
}
