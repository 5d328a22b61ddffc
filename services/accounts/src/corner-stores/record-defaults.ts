import { query } from '@fiado/chassis/db/query';
import { enterInbox } from '@fiado/chassis/outbox/inbox';
import { AppError } from '@fiado/contracts/errors';
import type { Context } from '../context';

export interface RecordDefaults {
  messageId: string;
  cornerStoreId: string;
  /** Receivables in default, of all wholesalers. */
  overdueCount: number;
  /** Version of payments' count: only the newest decides whether the store is overdue. */
  version: number;
}

/**
 * Stores whether a corner store is overdue, which payments decides: the status that
 * callers see derives from it. The published snapshot does not contain it, so no version is
 * raised. Once for each message, and never back to an older one.
 * @throws AppError CORNER_STORE_NOT_FOUND
 */
export async function recordDefaults(
  { db }: Context,
  { messageId, cornerStoreId, overdueCount, version }: RecordDefaults,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;
    const known = await query(
      tx,
      `UPDATE corner_stores
          SET overdue = CASE WHEN $3 > overdue_version THEN $2 ELSE overdue END,
              overdue_version = greatest(overdue_version, $3)
        WHERE id = $1 RETURNING id`,
      [cornerStoreId, overdueCount > 0, version],
    );
    if (known.length === 0) throw new AppError('CORNER_STORE_NOT_FOUND');
  });
}
