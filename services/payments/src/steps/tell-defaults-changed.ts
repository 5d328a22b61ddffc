import type { Transaction } from '@fiado/chassis/db/database';
import { appendToOutbox, outboxRows } from '@fiado/chassis/outbox/append';
import { defaultsChanged } from '@fiado/contracts/jobs/defaults-changed';
import { overdueOf, raiseOverdueVersions } from '../db/defaults.repository';

/** Transactions of one corner store that came into default, or out of it. */
export interface ChangedDefaults {
  cornerStoreId: string;
  opened: string[];
  closed: string[];
}

/**
 * Publishes the defaults of corner stores (`defaults.changed`), with a new version for each. It
 * takes the last lock of a database transaction, so it is called after all other writes: to avoid
 * deadlocks, no receivables may be locked after it.
 */
export async function tellDefaultsChanged(
  tx: Transaction,
  changes: ChangedDefaults[],
): Promise<void> {
  const changed = changes.filter(({ opened, closed }) => opened.length + closed.length > 0);
  if (changed.length === 0) return;
  const cornerStoreIds = changed.map(({ cornerStoreId }) => cornerStoreId);
  await raiseOverdueVersions(tx, cornerStoreIds);
  const overdue = await overdueOf(tx, cornerStoreIds);
  const byStore = new Map(changed.map((change) => [change.cornerStoreId, change]));

  await appendToOutbox(
    tx,
    overdue.flatMap(({ cornerStoreId, version, overdueCount, oldestDueAt }) =>
      outboxRows(
        defaultsChanged,
        { id: cornerStoreId, version },
        {
          cornerStoreId,
          overdueCount,
          oldestDueAt: oldestDueAt?.toISOString() ?? null,
          opened: byStore.get(cornerStoreId)?.opened ?? [],
          closed: byStore.get(cornerStoreId)?.closed ?? [],
        },
      ),
    ),
  );
}
