import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { lockCreditBalance, type CreditBalance } from '../db/credit-balances.repository';
import { nextReference } from './next-reference';

/** Locks a user's credit balance, and creates it with its `numeroReferencia` if there is none. */
export async function openCreditBalance(
  tx: Transaction,
  { userId, cornerStoreId }: { userId: string; cornerStoreId: string },
): Promise<CreditBalance> {
  const known = await lockCreditBalance(tx, userId);
  if (known !== undefined) return known;

  const numeroReferencia = await nextReference(tx, 'numeroReferencia');
  // Of two concurrent first deliveries, the second one waits here and then finds the row of the
  // first.
  await query(
    tx,
    `INSERT INTO credit_balances (user_id, corner_store_id, numero_referencia, balance_cents, version)
     VALUES ($1, $2, $3, 0, 0) ON CONFLICT DO NOTHING`,
    [userId, cornerStoreId, numeroReferencia],
  );
  const opened = await lockCreditBalance(tx, userId);
  if (opened === undefined) throw new Error('The corner store already belongs to another user');
  return opened;
}
