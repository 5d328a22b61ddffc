import { everyRow, OUTBOX_SCAN, recentRows, type Scan } from '@fiado/chassis/invariants/scans';
import type { Sealer } from '@fiado/chassis/sealing';
import { CHECKS_OF_ORDERS, wordsOpen } from './order-invariants';

/** The expiry runs every 30 s; an order that is still open after this time is a fault. */
const MINUTES_TO_EXPIRE = 10;

/** A credit line has some hundred orders, which are read with it. */
const LINE_WEIGHT = 20;

/** Not delivered, or delivered and not paid. */
const OPEN = `status IN ('pending-verification', 'on-hold', 'delivery', 'in-payment-default')`;

const LINES_SCAN: Scan = {
  name: 'credit-lines',
  rows: { ...everyRow('credit_lines', 'corner_store_id'), weight: LINE_WEIGHT },
  checks: [
    {
      name: 'credit_entries add up to the used amount of each credit line',
      violations: `
          SELECT line.corner_store_id, line.used_cents, coalesce(entry.cents, 0) AS "entriesCents"
            FROM credit_lines line
            LEFT JOIN (SELECT corner_store_id, sum(amount_cents)::bigint AS cents
                         FROM credit_entries WHERE corner_store_id = ANY($1)
                        GROUP BY corner_store_id) entry USING (corner_store_id)
           WHERE line.corner_store_id = ANY($1) AND line.used_cents <> coalesce(entry.cents, 0)`,
    },
    {
      // The ledger has no index by order, so the entries of a line are read together.
      name: 'each order and its credit_entries agree on what it holds and what it owes',
      violations: `
          SELECT coalesce(t.id, entry.transaction_id) AS "transactionId",
                 coalesce(t.corner_store_id, entry.corner_store_id) AS "cornerStoreId", t.status,
                 t.amount_cents, t.owed_cents, entry.holds, entry.held AS "heldCents",
                 entry.cents AS "entriesCents", entry.odd AS "oddEntries"
            FROM (SELECT id, corner_store_id, status, amount_cents, owed_cents
                    FROM transactions WHERE corner_store_id = ANY($1)) t
            FULL JOIN (
              SELECT corner_store_id, transaction_id, sum(amount_cents)::bigint AS cents,
                     count(*) FILTER (WHERE kind = 'hold') AS holds,
                     (sum(amount_cents) FILTER (
                       WHERE kind IN ('hold', 'adjustment', 'release')))::bigint AS held,
                     -- A payment frees credit, its reversal uses it, and each names its payment.
                     count(*) FILTER (
                       WHERE (kind IN ('repayment', 'reversal')) <> (cause_id IS NOT NULL)
                          OR (kind IN ('release', 'repayment')) <> (amount_cents < 0)
                             AND kind <> 'adjustment') AS odd
                FROM credit_entries WHERE corner_store_id = ANY($1)
               GROUP BY corner_store_id, transaction_id) entry
              ON entry.transaction_id = t.id AND entry.corner_store_id = t.corner_store_id
           WHERE t.id IS NULL OR entry.transaction_id IS NULL OR entry.holds <> 1 OR entry.odd > 0
              OR entry.held <> CASE WHEN t.status IN ('cancelled', 'expired') THEN 0
                                    ELSE t.amount_cents END
              OR entry.cents <> CASE WHEN t.status IN ('pending-verification', 'on-hold')
                                     THEN t.amount_cents ELSE t.owed_cents END`,
    },
  ],
};

const EXPIRY_SCAN: Scan = {
  name: 'expiry',
  checks: [
    {
      name: `no hold is open ${MINUTES_TO_EXPIRE} minutes after its expiry`,
      violations: `
          SELECT id AS "transactionId", status, expires_at FROM transactions
           WHERE status IN ('pending-verification', 'on-hold')
             AND expires_at < now() - make_interval(mins => ${MINUTES_TO_EXPIRE})`,
    },
  ],
};

/** The invariants of transactions. */
export function scansOf({ sealer }: { sealer: Sealer }): Scan[] {
  const checksOfOrders = [...CHECKS_OF_ORDERS, wordsOpen(sealer)];
  return [
    LINES_SCAN,
    { name: 'orders', rows: recentRows('transactions'), checks: checksOfOrders },
    {
      // Read with their lines: an index of open orders would cost each new order.
      name: 'older-open-orders',
      only: 'recent',
      rows: {
        ...everyRow('credit_lines', 'corner_store_id'),
        weight: LINE_WEIGHT,
        expand: (first) => `
          SELECT id FROM transactions
           WHERE corner_store_id = ANY($1) AND id < '${first}' AND ${OPEN}`,
      },
      checks: checksOfOrders,
    },
    EXPIRY_SCAN,
    OUTBOX_SCAN,
  ];
}
