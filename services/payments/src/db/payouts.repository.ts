import type { Db, Transaction } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';

export const PAYOUT_STATUSES = ['requested', 'paid', 'cancelled', 'returned'] as const;

/** Money of a credit balance that leaves to the store's bank account: a row of payouts. */
export interface Payout {
  id: string;
  userId: string;
  cornerStoreId: string;
  amountCents: number;
  bankReference: string;
  reason: string;
  status: (typeof PAYOUT_STATUSES)[number];
  requestedBy: string;
  requestedAt: Date;
  paidAt: Date | null;
  returnedAt: Date | null;
  /** The request to book it back that waits for a second person. */
  returnRequestedId: string | null;
  returnRequestedBy: string | null;
}

export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'userId'
  | 'cornerStoreId'
  | 'amountCents'
  | 'bankReference'
  | 'reason'
  | 'requestedBy'
  | 'paidAt'
> & { bankReferenceKey: string; status: 'requested' | 'paid' };

/** @returns undefined when the bank reference is of another payout that was not cancelled */
export function insertPayout(tx: Transaction, payout: NewPayout): Promise<Payout | undefined> {
  return queryRow<Payout>(
    tx,
    `INSERT INTO payouts (id, user_id, corner_store_id, amount_cents, bank_reference,
       bank_reference_key, reason, status, requested_by, paid_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (bank_reference_key) WHERE status <> 'cancelled' DO NOTHING
     RETURNING *`,
    [
      payout.id,
      payout.userId,
      payout.cornerStoreId,
      payout.amountCents,
      payout.bankReference,
      payout.bankReferenceKey,
      payout.reason,
      payout.status,
      payout.requestedBy,
      payout.paidAt,
    ],
  );
}

/** The payout that has a bank reference, unless it was cancelled. */
export function findPayoutByReference(db: Db, key: string): Promise<Payout | undefined> {
  return queryRow<Payout>(
    db,
    `SELECT * FROM payouts WHERE bank_reference_key = $1 AND status <> 'cancelled'`,
    [key],
  );
}

export function findPayout(db: Db, id: string): Promise<Payout | undefined> {
  return queryRow<Payout>(db, 'SELECT * FROM payouts WHERE id = $1', [id]);
}

/** Payouts of a user that a second person has not decided yet, newest first. */
export function findRequestedPayouts(tx: Transaction, userId: string): Promise<Payout[]> {
  return query<Payout>(
    tx,
    `SELECT * FROM payouts
      WHERE corner_store_id = (SELECT corner_store_id FROM credit_balances WHERE user_id = $1)
        AND status = 'requested' ORDER BY id DESC`,
    [userId],
  );
}

/** Newest first. */
export function listPayouts(
  db: Db,
  {
    cornerStoreId,
    cursor,
    limit,
  }: { cornerStoreId: string; cursor: string | undefined; limit: number },
): Promise<Payout[]> {
  return query<Payout>(
    db,
    `SELECT * FROM payouts WHERE corner_store_id = $1 AND ($2::uuid IS NULL OR id < $2)
      ORDER BY id DESC LIMIT $3`,
    [cornerStoreId, cursor ?? null, limit],
  );
}
