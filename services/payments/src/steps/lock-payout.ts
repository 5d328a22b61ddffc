import type { Transaction } from '@fiado/chassis/db/database';
import { lockCreditBalance } from '../db/credit-balances.repository';
import { findPayout, type Payout } from '../db/payouts.repository';

/** A payout under the lock of its credit balance, which every change of it takes first. */
export async function lockPayout(tx: Transaction, payoutId: string): Promise<Payout | undefined> {
  const known = await findPayout(tx, payoutId);
  if (known === undefined) return undefined;
  await lockCreditBalance(tx, known.userId);
  // Another statement sees what the lock waited for.
  return findPayout(tx, payoutId);
}
