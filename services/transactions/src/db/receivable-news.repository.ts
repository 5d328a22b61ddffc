import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';

/**
 * The status that follows from the events of payments, which arrive in any order, so it is computed
 * again from the newest of each kind. An order that is not delivered keeps its status.
 */
const SETTLED_STATUS = (paid: string, inDefault: string): string => `
  CASE WHEN status NOT IN ('delivery', 'in-payment-default', 'paid') THEN status
       WHEN ${paid} THEN 'paid'
       WHEN ${inDefault} THEN 'in-payment-default'
       ELSE 'delivery' END`;

/** The state of a transaction's receivable in payments, with its version. */
export interface ReceivableNews {
  transactionId: string;
  version: number;
  paid: boolean;
  /** The outstanding principal. */
  owedCents: number;
}

/**
 * Stores the state of a transaction's receivable, unless a newer one is stored.
 * @returns by how much the principal that is owed changed, in cents; undefined when there is no
 *   such transaction
 */
export async function recordReceivable(
  tx: Db,
  { transactionId, version, paid, owedCents }: ReceivableNews,
): Promise<number | undefined> {
  const newest = 'CASE WHEN $2 > t.receivable_version THEN $3 ELSE t.paid END';
  const [row] = await query<{ changeCents: number }>(
    tx,
    `WITH before AS (
       SELECT id, owed_cents FROM transactions WHERE id = $1 FOR NO KEY UPDATE
     )
     UPDATE transactions t
        SET version = t.version + 1, receivable_version = greatest(t.receivable_version, $2),
            owed_cents = CASE WHEN $2 > t.receivable_version THEN $4 ELSE t.owed_cents END,
            paid = ${newest}, status = ${SETTLED_STATUS(newest, 'in_default')}
       FROM before WHERE t.id = before.id
     RETURNING t.owed_cents - before.owed_cents AS "changeCents"`,
    [transactionId, version, paid, owedCents],
  );
  return row?.changeCents;
}

/**
 * Stores which of a corner store's transactions are in default, unless a newer version is stored.
 */
export async function recordDefaults(
  tx: Db,
  { transactionIds, version, inDefault }: DefaultNews,
): Promise<void> {
  await query(
    tx,
    `UPDATE transactions
        SET version = version + 1, default_version = $2, in_default = $3,
            status = ${SETTLED_STATUS('paid', '$3')}
      WHERE id = ANY($1::uuid[]) AND default_version < $2`,
    [transactionIds, version, inDefault],
  );
}

export interface DefaultNews {
  transactionIds: string[];
  version: number;
  inDefault: boolean;
}

/** Freezes or unfreezes a credit line, unless a newer version is stored. */
export async function recordOverdue(
  tx: Db,
  { cornerStoreId, version, overdue }: OverdueNews,
): Promise<void> {
  await query(
    tx,
    `UPDATE credit_lines SET overdue = $3, overdue_version = $2
      WHERE corner_store_id = $1 AND overdue_version < $2`,
    [cornerStoreId, version, overdue],
  );
}

export interface OverdueNews {
  cornerStoreId: string;
  version: number;
  overdue: boolean;
}
