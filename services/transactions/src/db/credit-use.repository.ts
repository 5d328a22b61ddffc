import type { Db } from '@fiado/chassis/db/database';
import { queryNamed } from '@fiado/chassis/db/query';

/** What these lines have used, in cents; stores without a line are left out. */
export function findCreditUse(
  db: Db,
  cornerStoreIds: string[],
): Promise<Array<{ cornerStoreId: string; usedCents: number }>> {
  return queryNamed(
    db,
    'find-credit-use',
    `SELECT corner_store_id, used_cents
       FROM credit_lines WHERE corner_store_id = ANY($1::uuid[])`,
    [cornerStoreIds],
  );
}
