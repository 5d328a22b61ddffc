import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { CreditNotesSettled } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';
import {
  type BalancePayment,
  type HeldMoney,
  heldAfterPayments,
  heldAfterReturns,
  heldAfterSurplus,
  type ReturnedPayment,
} from './held-money.rules';

/** SQL: whether money of the notes is held. */
const IS_HELD = `EXISTS (
  SELECT FROM held_credits note WHERE note.credit_note_id = ANY(money.credit_note_ids)
     AND note.settled_at IS NULL)`;

/**
 * Holds what a credit note gave back to a locked credit balance: the wholesaler has not given it back
 * yet. Debts may use it, payouts may not. A note that was settled before is not held.
 * @param returns the payments that it took back; the balance has their money already
 */
export async function holdReturned(
  tx: Transaction,
  userId: string,
  { creditNoteId, returns }: { creditNoteId: string; returns: ReturnedPayment[] },
): Promise<void> {
  if (returns.length === 0) return;
  const before = await findHeld(tx, userId, returns);
  await query(
    tx,
    `INSERT INTO held_credits (credit_note_id, user_id, cents, is_followed) VALUES ($1, $2, $3, true)
     ON CONFLICT (credit_note_id) DO NOTHING`,
    [creditNoteId, userId, returns.reduce((sum, { cents }) => sum + cents, 0)],
  );
  await moveHeld(tx, userId, before, heldAfterReturns(before, returns, creditNoteId));
}

/** Moves held money with what a locked credit balance pays, before that leaves the balance. */
export async function useHeld(
  tx: Transaction,
  userId: string,
  payments: BalancePayment[],
): Promise<void> {
  const before = await findHeld(tx, userId, []);
  if (before.length === 0) return;
  const { balanceCents } = await balanceOf(tx, userId);
  await moveHeld(tx, userId, before, heldAfterPayments(before, balanceCents, payments));
}

/**
 * Moves held money with what undoing a deposit takes from a locked credit balance.
 * @param returns payments of the balance that return to it, before they and the surplus are moved
 * @param balanceCents with them, and with the surplus
 */
export async function undoHeld(
  tx: Transaction,
  userId: string,
  {
    returns,
    balanceCents,
    ...surplus
  }: { returns: ReturnedPayment[]; balanceCents: number; depositId: string; cents: number },
): Promise<void> {
  const before = await findHeld(tx, userId, returns);
  if (before.length === 0) return;
  const returned = heldAfterReturns(before, returns, null);
  await moveHeld(tx, userId, before, heldAfterSurplus(returned, balanceCents, surplus));
}

/** The part of a locked credit balance that payouts may not take, in cents. */
export async function heldCentsIn(tx: Transaction, userId: string): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT ((SELECT coalesce(sum(cents), 0) FROM held_money money
               WHERE user_id = $1 AND allocation_id IS NULL AND ${IS_HELD})
           + (SELECT coalesce(sum(cents), 0) FROM held_credits
               WHERE user_id = $1 AND settled_at IS NULL AND NOT is_followed))::bigint AS cents`,
    [userId],
  );
  const { balanceCents } = await balanceOf(tx, userId);
  return Math.min(cents, balanceCents);
}

function balanceOf(tx: Transaction, userId: string): Promise<{ balanceCents: number }> {
  return queryOne(tx, 'SELECT balance_cents FROM credit_balances WHERE user_id = $1', [userId]);
}

/**
 * Held money of a locked credit balance and of some payments, oldest first. That of a process of the release
 * before, which does not follow it, is followed from here on.
 */
async function findHeld(
  tx: Transaction,
  userId: string,
  returns: ReturnedPayment[],
): Promise<HeldMoney[]> {
  await query(
    tx,
    `WITH note AS (
       UPDATE held_credits SET is_followed = true
        WHERE user_id = $1 AND settled_at IS NULL AND NOT is_followed
       RETURNING credit_note_id, cents)
     INSERT INTO held_money (user_id, credit_note_ids, cents)
     SELECT $1, ARRAY[credit_note_id], cents FROM note WHERE cents > 0`,
    [userId],
  );
  return query<HeldMoney>(
    tx,
    `SELECT allocation_id, deposit_id, credit_note_ids, cents FROM held_money money
      WHERE user_id = $1 AND (allocation_id IS NULL OR allocation_id = ANY($2)) AND ${IS_HELD}
      ORDER BY id`,
    [userId, returns.map(({ allocationId }) => allocationId)],
  );
}

/** Stores where held money is now, and of each note what left with a recovery or with its deposit. */
async function moveHeld(
  tx: Transaction,
  userId: string,
  before: HeldMoney[],
  after: HeldMoney[],
): Promise<void> {
  const gone = new Map<string, number>();
  const count = (held: HeldMoney[], sign: number) => {
    for (const { creditNoteIds, cents } of held) {
      for (const id of creditNoteIds) gone.set(id, (gone.get(id) ?? 0) + sign * cents);
    }
  };
  count(before, 1);
  count(after, -1);
  await query(
    tx,
    'DELETE FROM held_money WHERE user_id = $1 AND (allocation_id IS NULL OR allocation_id = ANY($2))',
    [userId, before.map(({ allocationId }) => allocationId)],
  );
  await query(
    tx,
    `WITH gone AS (
       UPDATE held_credits SET gone_cents = gone_cents + gone.cents
         FROM jsonb_to_recordset($3::jsonb) AS gone(id uuid, cents bigint)
        WHERE credit_note_id = gone.id)
     INSERT INTO held_money (user_id, allocation_id, deposit_id, credit_note_ids, cents)
     SELECT $1, allocation_id, deposit_id, credit_note_ids, cents
       FROM jsonb_to_recordset($2::jsonb) AS money(
         allocation_id uuid, deposit_id uuid, credit_note_ids uuid[], cents bigint)
      WHERE ${IS_HELD}`,
    [
      userId,
      JSON.stringify(
        after.map(({ allocationId, depositId, creditNoteIds, cents }) => ({
          allocation_id: allocationId,
          deposit_id: depositId,
          credit_note_ids: creditNoteIds,
          cents,
        })),
      ),
      JSON.stringify(
        [...gone].filter(([, cents]) => cents > 0).map(([id, cents]) => ({ id, cents })),
      ),
    ],
  );
}

/**
 * Lets payouts take what credit notes gave: their statement was closed at 0 or more. A note that is
 * not booked yet is remembered, so that it is never held.
 */
export async function settleCredits(
  { db }: Context,
  { creditNoteIds, settledAt }: CreditNotesSettled,
): Promise<void> {
  await query(
    db,
    `INSERT INTO held_credits (credit_note_id, cents, settled_at)
     SELECT id, 0, $2 FROM unnest($1::uuid[]) AS id ORDER BY id
     ON CONFLICT (credit_note_id) DO UPDATE SET settled_at = EXCLUDED.settled_at
       WHERE held_credits.settled_at IS NULL`,
    [creditNoteIds, settledAt],
  );
}
