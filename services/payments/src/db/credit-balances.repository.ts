import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne, queryRow } from '@fiado/chassis/db/query';
import type { ReferenceKind } from '../domain/payment-reference';

/** A user's reference for payments, and the money that user paid beyond all debt. */
export interface CreditBalance {
  userId: string;
  cornerStoreId: string;
  numeroReferencia: string;
  balanceCents: number;
}

const SEQUENCES: Record<ReferenceKind, string> = {
  idFactura: 'id_factura_numbers',
  numeroReferencia: 'numero_referencia_numbers',
};

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
export type BalanceMovement = {
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

/**
 * The next number of a kind's sequence, and the key that makes a reference of it. A database
 * transaction that is rolled back leaves a gap.
 */
export function nextNumber(
  tx: Transaction,
  kind: ReferenceKind,
): Promise<{ number: number; key: Buffer }> {
  return queryOne<{ number: number; key: Buffer }>(
    tx,
    'SELECT nextval($1::regclass) AS number, key FROM reference_key',
    [SEQUENCES[kind]],
  );
}
