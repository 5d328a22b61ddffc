import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { ExportKey, ExportRow, ExportSource } from '@fiado/chassis/exports/exports';
import { amountOf } from '@fiado/contracts/money';

const HOUR_MS = 3_600_000;

/** Rows of a slice of time are sorted for each of its pages, so a slice is not much more than a page. */
const FIRST_SLICE_MS = HOUR_MS;
const SHORTEST_SLICE_MS = 1_000;
const LONGEST_SLICE_MS = 30 * 24 * HOUR_MS;

interface Entry {
  ledger: string;
  /** The receivable, the recovery, or the user of a credit balance. */
  objectId: string;
  version: number;
  cause: string;
  wholesalerId: string | null;
  cornerStoreId: string;
  transactionId: string | null;
  depositId: string | null;
  payoutId: string | null;
  principalCents: number | null;
  interestCents: number | null;
  ivaCents: number | null;
  cents: number;
  createdAt: Date;
  atText: string;
}

function presentEntry(entry: Entry): ExportRow {
  const { principalCents, interestCents, ivaCents } = entry;
  return {
    ledger: entry.ledger,
    objectId: entry.ledger === 'credit-balance' ? entry.cornerStoreId : entry.objectId,
    entry: entry.version,
    cause: entry.cause,
    wholesalerId: entry.wholesalerId,
    cornerStoreId: entry.cornerStoreId,
    transactionId: entry.transactionId,
    depositId: entry.depositId,
    payoutId: entry.payoutId,
    principal: principalCents === null ? null : amountOf(principalCents),
    interests: interestCents === null ? null : amountOf(interestCents),
    IVAAmount: ivaCents === null ? null : amountOf(ivaCents),
    amount: amountOf(entry.cents),
    createdAt: entry.createdAt,
  };
}

/**
 * The entries of all ledgers by time: of debts, credit balances and recoveries. Only those of debts
 * belong to a wholesaler.
 */
export const ledgerEntryExport: ExportSource = {
  columns: [
    'ledger',
    'objectId',
    'entry',
    'cause',
    'wholesalerId',
    'cornerStoreId',
    'transactionId',
    'depositId',
    'payoutId',
    'principal',
    'interests',
    'IVAAmount',
    'amount',
    'createdAt',
  ],
  async *pages(db, { from, to, wholesalerId }, { after, limit }) {
    let position = after;
    let start = after === undefined ? from : new Date(String(after.sliceStart));
    let sliceMs = FIRST_SLICE_MS;
    while (start < to) {
      const end = new Date(Math.min(start.getTime() + sliceMs, to.getTime()));
      const entries = await readSlice(db, { start, end, wholesalerId }, { after: position, limit });
      const last = entries.at(-1);
      const isFull = entries.length === limit;
      if (last !== undefined) {
        // A time of JavaScript is cut to milliseconds: not behind the entry.
        if (isFull) start = last.createdAt;
        const sliceStart = (isFull ? start : end).toISOString();
        const { ledger, objectId, version, atText: at } = last;
        position = { sliceStart, at, ledger, objectId, version };
        yield { rows: entries.map(presentEntry), last: position };
      }
      if (!isFull) start = end;
      sliceMs = isFull
        ? Math.max(sliceMs / 2, SHORTEST_SLICE_MS)
        : Math.min(sliceMs * 2, LONGEST_SLICE_MS);
    }
  },
};

/** In a slice each table is read by its BRIN index. */
const IN_SLICE = 'e.created_at >= $1 AND e.created_at < $2';

async function readSlice(
  db: Db,
  { start, end, wholesalerId }: { start: Date; end: Date; wholesalerId: string | undefined },
  { after, limit }: { after: ExportKey | undefined; limit: number },
): Promise<Entry[]> {
  return query<Entry>(
    db,
    `SELECT entry.*, created_at::text AS at_text FROM (
       SELECT 'debt' AS ledger, e.receivable_id AS object_id, e.version, e.cause, r.wholesaler_id,
              r.corner_store_id, r.transaction_id, a.deposit_id, NULL::uuid AS payout_id,
              e.principal_cents, e.interest_cents, e.iva_cents,
              e.principal_cents + e.interest_cents + e.iva_cents AS cents, e.created_at
         FROM receivable_entries e JOIN receivables r ON r.id = e.receivable_id
         LEFT JOIN allocations a ON a.id = e.allocation_id
        WHERE ${IN_SLICE} AND ($3::uuid IS NULL OR r.wholesaler_id = $3)
       UNION ALL
       SELECT 'credit-balance', e.user_id, e.version, e.cause, NULL, b.corner_store_id, NULL,
              e.deposit_id, e.payout_id, NULL, NULL, NULL, e.cents, e.created_at
         FROM credit_balance_entries e JOIN credit_balances b USING (user_id)
        WHERE ${IN_SLICE} AND $3::uuid IS NULL
       UNION ALL
       SELECT 'recovery', e.recovery_id, e.version, e.cause, NULL, o.corner_store_id, NULL,
              e.deposit_id, NULL, NULL, NULL, NULL, e.cents, e.created_at
         FROM recovery_entries e JOIN recoveries o ON o.id = e.recovery_id
        WHERE ${IN_SLICE} AND $3::uuid IS NULL) entry
      WHERE $4::timestamptz IS NULL
         OR (created_at, ledger, object_id, version) > ($4, $5::text, $6::uuid, $7::bigint)
      ORDER BY created_at, ledger, object_id, version LIMIT $8`,
    [
      start,
      end,
      wholesalerId ?? null,
      after?.at ?? null,
      after?.ledger ?? null,
      after?.objectId ?? null,
      after?.version ?? null,
      limit,
    ],
  );
}
