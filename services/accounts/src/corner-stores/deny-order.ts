import { query } from '@fiado/chassis/db/query';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { storeDenies } from '@fiado/contracts/jobs/disputes';
import type { Context } from '../context';
import { findProvedAccounts } from '../links/visit-account';
import type { CornerStoreRow } from './corner-store.entity';

interface Denial {
  messageId: string;
  phoneIndex: Buffer;
  smsId: string;
  choice?: number;
  /** When the SMS reached the notifier. */
  saidAt: string;
}

/**
 * Publishes to transactions that a store denies an order by SMS, once for each message. An unknown number and the number of a
 * blocked person get no answer. A number that a wholesaler changed denies only the orders that it may see.
 */
export async function denyBySms(
  { db }: Context,
  { messageId, phoneIndex, ...denial }: Denial,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const [store] = await query<Pick<CornerStoreRow, 'id' | 'userId'>>(
      tx,
      `SELECT s.id, s.user_id FROM users u JOIN corner_stores s ON s.user_id = u.id
        WHERE u.phone_index = $1 AND s.blocked_at IS NULL`,
      [phoneIndex],
    );
    if (store === undefined) return;
    const { id: cornerStoreId, userId } = store;
    const seen = await findProvedAccounts(tx, userId);
    const wholesalerIds = seen.map(({ wholesalerId }) => wholesalerId);
    const data = { cornerStoreId, wholesalerIds, ...denial };
    await appendToOutbox(tx, outboxRows(storeDenies, { id: cornerStoreId, version: 1 }, data));
  });
}
