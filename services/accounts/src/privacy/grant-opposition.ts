import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { oppositionChanged } from '@fiado/contracts/jobs/opposition';
import type { Context } from '../context';
import { withdrawVoluntaryConsents } from './privacy-requests.sql';
import type { GrantedRequest } from './settle-request';

/**
 * Opposition: the owner gets no reminder before a debt is due, and consents to voluntary purposes end.
 * Codes, words, receipts and messages about overdue debts stay.
 */
export async function grantOpposition(
  { clock }: Context,
  tx: Transaction,
  { person }: Pick<GrantedRequest, 'person'>,
): Promise<'done'> {
  const { userId, cornerStoreId, opposedAt } = person;
  if (opposedAt === null) {
    await setOpposition(tx, { cornerStoreId, opposes: true, at: clock.now() });
  }
  await withdrawVoluntaryConsents(tx, userId);
  return 'done';
}

/** Notes whether the owner of a locked store opposes reminders from now on, and tells payments. */
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
