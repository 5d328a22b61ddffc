import type { Database, Db } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import { Lane } from '@fiado/chassis/lanes/lane';

/** The lane of the look-ups that ask for one corner store: what its line has used, if it has one. */
export function createCreditUseLane(db: Database): Lane<string, number | undefined> {
  return new Lane({
    name: 'find-credit-use',
    run: async (cornerStoreIds) => {
      const lines = await findCreditUse(db, cornerStoreIds);
      const usedCents = new Map(lines.map((line) => [line.cornerStoreId, line.usedCents]));
      return cornerStoreIds.map((cornerStoreId) => usedCents.get(cornerStoreId));
    },
    // Accounts asks, for any of its callers; they take turns there.
    tenantOf: () => 'accounts',
  });
}

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

/**
 * Changes what a line has used and writes the ledger's row of it, in one statement. No limit refuses
 * it: what it follows from has already happened.
 */
export async function changeUsedCredit(
  tx: Db,
  change: {
    cornerStoreId: string;
    transactionId: string;
    kind: 'release' | 'repayment' | 'reversal' | 'credit';
    amountCents: number;
    causeId?: string;
  },
): Promise<void> {
  await query(
    tx,
    `WITH line AS (
       UPDATE credit_lines SET used_cents = used_cents + $2::bigint
        WHERE corner_store_id = $1
       RETURNING corner_store_id
     )
     INSERT INTO credit_entries (corner_store_id, transaction_id, kind, amount_cents, cause_id)
     SELECT corner_store_id, $3::uuid, $4::text, $2::bigint, $5::uuid FROM line`,
    [
      change.cornerStoreId,
      change.amountCents,
      change.transactionId,
      change.kind,
      change.causeId ?? null,
    ],
  );
}
