import type { Transaction } from '@fiado/chassis/db/database';
import { queryOne } from '@fiado/chassis/db/query';

/** How long an assignment that one person made counts. */
const COUNTED_DAYS = 30;

/** Cents of deposits that single persons assigned to a corner store lately. */
export async function assignedAloneCents(tx: Transaction, cornerStoreId: string): Promise<number> {
  const { cents } = await queryOne<{ cents: number }>(
    tx,
    `SELECT coalesce(sum(alone_cents), 0)::bigint AS cents FROM deposit_decisions
      WHERE corner_store_id = $1 AND alone_cents IS NOT NULL
        AND decided_at > now() - make_interval(days => $2)`,
    [cornerStoreId, COUNTED_DAYS],
  );
  return cents;
}
