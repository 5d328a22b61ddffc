import type { EntityManager } from 'typeorm';
import { CreditBalanceEntity } from '../db/credit-balance.entity';
import { lockCreditBalance, nextNumber } from '../db/credit-balances.repository';
import { numeroReferenciaOf } from '../domain/payment-reference';

export interface OpenCreditBalance {
  userId: string;
  cornerStoreId: string;
}

/** A user's credit balance, locked; the user's first one makes it and the `numeroReferencia`. */
export async function openCreditBalance(
  tx: EntityManager,
  { userId, cornerStoreId }: OpenCreditBalance,
): Promise<CreditBalanceEntity> {
  const known = await lockCreditBalance(tx, userId);
  if (known !== null) return known;

  const number = await nextNumber(tx, 'numero_referencia_numbers');
  // Two first deliveries at once: the second one waits here, and then finds the first one's row.
  await tx
    .createQueryBuilder()
    .insert()
    .into(CreditBalanceEntity)
    .values({
      userId,
      cornerStoreId,
      numeroReferencia: numeroReferenciaOf(number),
      balanceCents: 0,
      version: 0,
    })
    .orIgnore()
    .execute();
  const opened = await lockCreditBalance(tx, userId);
  if (opened === null) throw new Error('The corner store already belongs to another user');
  return opened;
}
