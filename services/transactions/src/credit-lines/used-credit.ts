import type { Database, Db } from '@fiado/chassis/db/database';
import { query, queryNamed } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { Lane } from '@fiado/chassis/lanes/lane';
import { creditUseCall } from '@fiado/contracts/debts';

type CreditUseLane = Lane<string, number | undefined>;

/** The used credit of these corner stores, in cents, for the look-ups of accounts. */
export const creditUseEndpoint = internalEndpoint({
  call: creditUseCall,
  allow: ['service:accounts'],
  handle: async (
    { db, creditUse }: { db: Database; creditUse: CreditUseLane },
    { cornerStoreIds },
  ) => {
    const [first, ...others] = cornerStoreIds;
    if (first === undefined) return { lines: [] };
    // Many ids have a statement of their own, so that look-ups of one id do not wait for them.
    if (others.length > 0) return { lines: await findCreditUse(db, cornerStoreIds) };
    const usedCents = await creditUse.add(first);
    return { lines: usedCents === undefined ? [] : [{ cornerStoreId: first, usedCents }] };
  },
});

/** The lane of look-ups of one corner store: its used credit, undefined if it has no line. */
export function createCreditUseLane(db: Database): CreditUseLane {
  return new Lane({
    name: 'find-credit-use',
    run: async (cornerStoreIds) => {
      const lines = await findCreditUse(db, cornerStoreIds);
      const usedCents = new Map(lines.map((line) => [line.cornerStoreId, line.usedCents]));
      return cornerStoreIds.map((cornerStoreId) => usedCents.get(cornerStoreId));
    },
    // All calls come from accounts; its own callers take turns there.
    tenantOf: () => 'accounts',
  });
}

/** The used credit of these corner stores, in cents; stores without a line are left out. */
function findCreditUse(
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
 * Changes the used credit of a line and writes its ledger entry, in one statement. No limit applies: the
 * cause of the change has already happened.
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
    [change.cornerStoreId, change.amountCents, change.transactionId, change.kind, change.causeId],
  );
}
