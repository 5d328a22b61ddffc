import { isUUID } from '@fiado/contracts/class-validator';
import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import { AppError } from '@fiado/contracts/errors';

/** payments learns of a corner store with its first delivery, so it cannot distinguish the two cases. */
const NEVER_OWED =
  'The corner store does not exist, or it never had a delivery and so has no debt to pay';

/** A user's reference for payments, and the money that user paid beyond all debt. */
export interface CreditBalance {
  userId: string;
  cornerStoreId: string;
  numeroReferencia: string;
  balanceCents: number;
}

/**
 * Locks a user's credit balance. Every change of a balance or a receivable of the user locks this
 * row first, which serialises the deposits of one user. Not FOR UPDATE, which would also block
 * foreign keys to this row.
 */
export function lockCreditBalance(
  tx: Transaction,
  userId: string,
): Promise<CreditBalance | undefined> {
  return queryRow<CreditBalance>(
    tx,
    'SELECT * FROM credit_balances WHERE user_id = $1 FOR NO KEY UPDATE',
    [userId],
  );
}

/**
 * Why a balance changed. surplus: a deposit exceeded all debt. spent: a debt used it. returned:
 * that use was reversed. reversal, unassigned: the deposit of a surplus was. payout: money was
 * reserved for the store's bank account, or left to it; payout-cancelled, payout-returned: it is
 * back. recovery: it is owed as a recovery, so that a surplus can be taken back.
 */
type BalanceMovement = {
  /** Signed. */
  cents: number;
} & (
  | {
      cause: 'surplus' | 'reversal' | 'unassigned';
      /** That brought the money. */
      depositId: string;
    }
  | { cause: 'spent' | 'returned' }
  | { cause: 'payout' | 'payout-cancelled' | 'payout-returned'; payoutId: string }
  | { cause: 'recovery'; recoveryId: string }
);

/** Changes a locked balance and writes its ledger row, in one statement. */
export async function moveCreditBalance(
  tx: Transaction,
  userId: string,
  movement: BalanceMovement,
): Promise<void> {
  await query(
    tx,
    `WITH moved AS (
       UPDATE credit_balances SET balance_cents = balance_cents + $3, version = version + 1
        WHERE user_id = $1
       RETURNING user_id, version)
     INSERT INTO credit_balance_entries
       (user_id, version, cause, cents, deposit_id, payout_id, recovery_id)
     SELECT user_id, version, $2, $3, $4, $5, $6 FROM moved`,
    [
      userId,
      movement.cause,
      movement.cents,
      'depositId' in movement ? movement.depositId : null,
      'payoutId' in movement ? movement.payoutId : null,
      'recoveryId' in movement ? movement.recoveryId : null,
    ],
  );
}

/** The part of a deposit that went to its user's credit balance, in cents. */
export async function surplusOf(
  tx: Transaction,
  userId: string,
  depositId: string,
): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT COALESCE(sum(cents), 0)::bigint AS cents FROM credit_balance_entries
      WHERE user_id = $1 AND deposit_id = $2`,
    [userId, depositId],
  );
  return cents;
}

/**
 * The user of a corner store that had a delivery.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function findIndebtedUser(tx: Transaction, cornerStoreId: string): Promise<string> {
  const [balance] = isUUID(cornerStoreId)
    ? await query<{ userId: string }>(
        tx,
        'SELECT user_id FROM credit_balances WHERE corner_store_id = $1',
        [cornerStoreId],
      )
    : [];
  if (balance === undefined) throw new AppError('CORNER_STORE_NOT_FOUND', { message: NEVER_OWED });
  return balance.userId;
}
