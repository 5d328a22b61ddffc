import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { newId } from '@fiado/contracts/new-id';
import type { Outstanding } from '../debts/allocation.rules';
import { moveCreditBalance } from './credit-balance';

/** What a store owes of money that was taken back after it had left the balance. All is principal. */
export interface OpenRecovery extends Outstanding {
  version: number;
}

/** SQL of the cents that a user still owes of recoveries. */
export const OPEN_RECOVERIES = (userId: string): string => `
  (SELECT coalesce(sum(amount_cents - paid_cents), 0) FROM recoveries
    WHERE recoveries.user_id = ${userId} AND paid_cents < amount_cents)`;

/** Recoveries that a user still owes. The lock of the credit balance also locks them. */
export async function findOpenRecoveries(tx: Transaction, userId: string): Promise<OpenRecovery[]> {
  const rows = await query<{ id: string; version: number; openedAt: Date; cents: number }>(
    tx,
    `SELECT id, version, opened_at, amount_cents - paid_cents AS cents FROM recoveries
      WHERE user_id = $1 AND paid_cents < amount_cents`,
    [userId],
  );
  return rows.map(({ id, version, openedAt: dueAt, cents: principalCents }) => ({
    id,
    version,
    dueAt,
    principalCents,
    interestCents: 0,
    ivaCents: 0,
  }));
}

/** Opens a recovery and gives its money to the locked credit balance, which can then be debited. */
export async function openRecovery(
  tx: Transaction,
  recovery: {
    userId: string;
    cornerStoreId: string;
    /** That was taken back. */
    depositId: string;
    cents: number;
  },
): Promise<void> {
  const { userId, cornerStoreId, depositId, cents } = recovery;
  const id = newId();
  await query(
    tx,
    `WITH recovery AS (
       INSERT INTO recoveries (id, user_id, corner_store_id, deposit_id, amount_cents, opened_at)
       VALUES ($1, $2, $3, $4, $5, now()) RETURNING id, amount_cents
     )
     INSERT INTO recovery_entries (recovery_id, version, cause, cents)
     SELECT id, 1, 'opened', amount_cents FROM recovery`,
    [id, userId, cornerStoreId, depositId, cents],
  );
  await moveCreditBalance(tx, userId, { cause: 'recovery', recoveryId: id, cents });
}

/**
 * Pays recoveries, each with its cents.
 * @param depositId null for money of the credit balance
 */
export async function payRecoveries(
  tx: Transaction,
  depositId: string | null,
  payments: Array<{ id: string; cents: number }>,
): Promise<void> {
  if (payments.length === 0) return;
  await query(
    tx,
    `WITH paid AS (
       UPDATE recoveries r SET paid_cents = r.paid_cents + p.cents, version = version + 1
         FROM jsonb_to_recordset($1::jsonb) AS p(id uuid, cents bigint) WHERE r.id = p.id
       RETURNING r.id, r.version, p.cents
     )
     INSERT INTO recovery_entries (recovery_id, version, cause, deposit_id, cents)
     SELECT id, version, 'payment', $2, -cents FROM paid`,
    [JSON.stringify(payments), depositId],
  );
}

/** Reopens the recoveries of a user by what a deposit paid of them. */
export async function takeBackFromRecoveries(
  tx: Transaction,
  userId: string,
  depositId: string,
): Promise<void> {
  await query(
    tx,
    `WITH paid AS (
       SELECT e.recovery_id, -sum(e.cents)::bigint AS cents
         FROM recovery_entries e JOIN recoveries r ON r.id = e.recovery_id
        WHERE e.deposit_id = $2 AND r.user_id = $1
        GROUP BY e.recovery_id HAVING sum(e.cents) <> 0
     ),
     reopened AS (
       UPDATE recoveries r SET paid_cents = r.paid_cents - paid.cents, version = version + 1
         FROM paid WHERE r.id = paid.recovery_id
       RETURNING r.id, r.version, paid.cents
     )
     INSERT INTO recovery_entries (recovery_id, version, cause, deposit_id, cents)
     SELECT id, version, 'reversal', $2, cents FROM reopened`,
    [userId, depositId],
  );
}
