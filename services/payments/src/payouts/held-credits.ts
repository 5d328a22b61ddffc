import type { Transaction } from '@fiado/chassis/db/database';
import { query, queryOne } from '@fiado/chassis/db/query';
import type { CreditNotesSettled } from '@fiado/contracts/jobs/debts';
import type { Context } from '../context';

/**
 * Holds what a credit note left in a locked credit balance: the wholesaler has not given the money
 * back yet. Debts may use it, payouts may not. A note that was settled before is not held.
 * @param returnedCents what the note took back, before debts used a part of it
 */
export async function holdCredit(
  tx: Transaction,
  userId: string,
  { creditNoteId, returnedCents }: { creditNoteId: string; returnedCents: number },
): Promise<void> {
  await query(
    tx,
    `INSERT INTO held_credits (credit_note_id, user_id, cents)
     SELECT $1, user_id, least(balance_cents, $3) FROM credit_balances
      WHERE user_id = $2 AND balance_cents > 0 AND $3 > 0
     ON CONFLICT (credit_note_id) DO NOTHING`,
    [creditNoteId, userId, returnedCents],
  );
}

/** What payouts may not take of a user's locked credit balance, in cents. Debts use the rest first. */
export async function heldCentsOf(tx: Transaction, userId: string): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT coalesce(sum(cents), 0)::bigint AS cents FROM held_credits
      WHERE user_id = $1 AND settled_at IS NULL`,
    [userId],
  );
  return cents;
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
