import { enterInbox } from '@fiado/chassis/outbox/inbox';
import type { DefaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import type { Context } from '../context';
import { recordDefaults, recordOverdue } from '../db/receivable-news.repository';

/**
 * Applies an event about defaults, once for each message: a credit line is frozen while any debt is
 * overdue, and the affected transactions change between delivery and in-payment-default.
 */
export async function applyDefaultsEvent(
  context: Context,
  { messageId, version, news }: { messageId: string; version: number; news: DefaultsChanged },
): Promise<void> {
  const { cornerStoreId, overdueCount, opened, closed } = news;
  await context.db.transaction(async (tx) => {
    if (!(await enterInbox(tx, messageId))) return;

    // The transactions' rows first, then the credit line: the same order everywhere.
    await recordDefaults(tx, { transactionIds: opened, version, inDefault: true });
    await recordDefaults(tx, { transactionIds: closed, version, inDefault: false });
    await recordOverdue(tx, { cornerStoreId, version, overdue: overdueCount > 0 });
  });
}
