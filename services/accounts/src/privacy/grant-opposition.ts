import type { Transaction } from '@fiado/chassis/db/database';
import { updateRow } from '@fiado/chassis/db/rows';
import type { Context } from '../context';
import type { GrantedRequest } from './settle-request';
import { withdrawVoluntaryConsents } from './privacy-requests.sql';

/**
 * Opposition: the owner gets no reminder before a debt is due, and consents to voluntary purposes end.
 * Codes, words, receipts and messages about overdue debts stay.
 */
export async function grantOpposition(
  { clock }: Context,
  tx: Transaction,
  { person: { userId, cornerStoreId, opposedAt } }: Pick<GrantedRequest, 'person'>,
): Promise<'done'> {
  if (opposedAt === null) {
    await updateRow(tx, 'corner_stores', cornerStoreId, { opposedAt: clock.now() });
  }
  await withdrawVoluntaryConsents(tx, userId);
  return 'done';
}
