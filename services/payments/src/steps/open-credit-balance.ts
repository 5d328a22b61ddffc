import type { EntityManager } from 'typeorm';
import { CreditBalanceEntity } from '../db/credit-balance.entity';
import { lockCreditBalance } from '../db/credit-balances.repository';
import { nextReference } from './next-reference';

export interface OpenCreditBalance {
  userId: string;
  cornerStoreId: string;
}

/** Locks a user's credit balance, and creates it with its `numeroReferencia` if there is none. */
export async function openCreditBalance(
  tx: EntityManager,
  { userId, cornerStoreId }: OpenCreditBalance,
): Promise<CreditBalanceEntity> {
  const known = await lockCreditBalance(tx, userId);
  if (known !== null) return known;

  const numeroReferencia = await nextReference(tx, 'numeroReferencia');
  // Of two concurrent first deliveries, the second one waits here and then finds the row of the
  // first.
  await tx
    .createQueryBuilder()
    .insert()
    .into(CreditBalanceEntity)
    .values({
      userId,
      cornerStoreId,
      numeroReferencia,
      balanceCents: 0,
      version: 0,
    })
    .orIgnore()
    .execute();
  const opened = await lockCreditBalance(tx, userId);
  if (opened === null) throw new Error('The corner store already belongs to another user');
  return opened;
}
