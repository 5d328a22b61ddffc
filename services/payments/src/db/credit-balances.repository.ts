import type { EntityManager } from 'typeorm';
import { query } from '@fiado/shared/chassis/db/query';
import { CreditBalanceEntity } from './credit-balance.entity';

/**
 * Locks a user's money: whoever changes a balance or a receivable of the user holds this row
 * first, so two deposits for one user follow each other. Not FOR UPDATE, which would also stop
 * the foreign keys that point here.
 */
export function lockCreditBalance(
  tx: EntityManager,
  userId: string,
): Promise<CreditBalanceEntity | null> {
  return tx.findOne(CreditBalanceEntity, {
    where: { userId },
    lock: { mode: 'for_no_key_update' },
  });
}

/**
 * Why a balance changed. surplus: money beyond all debt came in. spent: a debt used it. returned:
 * that use was taken back. reversal: the deposit of a surplus was reversed.
 */
export interface BalanceMovement {
  cause: 'surplus' | 'spent' | 'returned' | 'reversal';
  /** The deposit that the money came with. */
  depositId: string | null;
  /** Signed. */
  cents: number;
}

/** Changes a locked balance and writes its ledger row, in one statement. */
export async function moveCreditBalance(
  tx: EntityManager,
  userId: string,
  { cause, depositId, cents }: BalanceMovement,
): Promise<void> {
  await query(
    tx,
    `WITH moved AS (
       UPDATE credit_balances SET balance_cents = balance_cents + $4, version = version + 1
        WHERE user_id = $1
       RETURNING user_id, version)
     INSERT INTO credit_balance_entries (user_id, version, cause, deposit_id, cents)
     SELECT user_id, version, $2, $3, $4 FROM moved`,
    [userId, cause, depositId, cents],
  );
}

/** The next number of a sequence of payment references; a rolled back transaction leaves a gap. */
export async function nextNumber(
  tx: EntityManager,
  sequence: 'numero_referencia_numbers' | 'id_factura_numbers',
): Promise<number> {
  const [row] = await query<{ number: number }>(tx, 'SELECT nextval($1::regclass) AS number', [
    sequence,
  ]);
  if (row === undefined) throw new Error('A sequence always has a next number');
  return row.number;
}
