import type { Transaction } from '@fiado/chassis/db/database';
import { query, timeOf } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { oppositionChanged } from '@fiado/contracts/jobs/privacy';
import { type LockedPerson, withdrawVoluntaryConsents } from './privacy-requests.sql';
import type { Grant } from './settle-request';

/** Grants an opposition now. */
export const grantOpposition: Grant = async (_context, tx, { person }) => {
  await endReminders(tx, person, await timeOf(tx));
  return 'done';
};

/**
 * Opposition: the owner gets no reminder before a debt is due, and consents to voluntary purposes end.
 * Codes, words, receipts and messages about overdue debts stay.
 * @param at when the owner said so: a word by SMS may arrive after a later one
 */
export async function endReminders(
  tx: Transaction,
  { userId, cornerStoreId, opposedAt }: LockedPerson,
  at: Date,
): Promise<void> {
  if (opposedAt === null) await setOpposition(tx, { cornerStoreId, opposes: true, at });
  await withdrawVoluntaryConsents(tx, userId);
}

/** Records whether the owner of a locked store opposes reminders from now on, and publishes it to payments. */
export async function setOpposition(
  tx: Transaction,
  { cornerStoreId, opposes, at }: { cornerStoreId: string; opposes: boolean; at: Date },
): Promise<void> {
  await query(
    tx,
    `UPDATE corner_stores
        SET opposed_at = CASE WHEN $2 THEN $3::timestamptz END, opposition_changed_at = $3
      WHERE id = $1`,
    [cornerStoreId, opposes, at],
  );
  const aggregate = { id: cornerStoreId, version: at.getTime() };
  await appendToOutbox(tx, outboxRows(oppositionChanged, aggregate, { cornerStoreId, opposes }));
}
