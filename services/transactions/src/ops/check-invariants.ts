import type { Db } from '@fiado/chassis/db/database';
import {
  everyRow,
  type Invariant,
  OUTBOX_SCAN,
  recentRows,
  type Scan,
} from '@fiado/chassis/invariants/scans';
import { collisionsOf } from '@fiado/chassis/db/folded-keys';
import { query } from '@fiado/chassis/db/query';
import { invariantsEndpoint } from '@fiado/chassis/invariants/endpoints';
import type { Sealer } from '@fiado/chassis/keys/sealing';
import { dayAfter } from '@fiado/contracts/clock';
import type { Context } from '../context';
import { KEEPS_FILE } from '../invoices/invoice-file.entity';
import { ORDER_KEY, WORD_PURPOSE } from '../orders/order.rules';
import { paymentDue } from '../orders/pricing.rules';
import { approvalInvariants } from './approval-invariants';
import { SETTLEMENT_OF_ORDERS, settlementScans } from './settlement-invariants';
import { DELIVERED } from './list-sums';
import { CREDITED_BY_DOCUMENTS, TAX_DOCUMENTS_OF_ORDERS } from './tax-document-invariants';

export const checkInvariantsEndpoint = invariantsEndpoint<Context>('transactions', scansOf);

/** A delivery just before midnight may be dated after it by the other clock. */
const CLOCKS_DIFFER_MS = 60_000;

/** Checks of orders with the ids $1. */
const CHECKS_OF_ORDERS: Invariant[] = [
  {
    name: 'each transaction that is not cancelled or expired has one active commission',
    violations: `
      SELECT t.id AS "transactionId", t.status, live.count AS live
        FROM transactions t CROSS JOIN LATERAL (
          SELECT count(*) FROM commissions c
           WHERE c.transaction_id = t.id AND c.voided_at IS NULL) live
       WHERE t.id = ANY($1)
         AND live.count <> CASE WHEN t.status IN ('cancelled', 'expired') THEN 0 ELSE 1 END`,
  },
  {
    name: 'each active commission has the rate of its transaction and is that share of the amount',
    violations: `
      SELECT t.id AS "transactionId", t.amount_cents, t.commission_rate, c.rate,
             c.amount_cents AS commission_cents
        FROM transactions t JOIN commissions c ON c.transaction_id = t.id AND c.voided_at IS NULL
       WHERE t.id = ANY($1)
         AND (c.rate <> t.commission_rate
              OR c.amount_cents <> round(t.amount_cents * t.commission_rate))`,
  },
  {
    name: 'interest and IVA of a transaction follow from its amount and its rates',
    violations: `
      SELECT id AS "transactionId", amount_cents, interest_rate, interest_cents, iva_rate, iva_cents
        FROM transactions
       WHERE id = ANY($1)
         AND (interest_cents <> round(amount_cents * interest_rate)
              OR iva_cents <> round(interest_cents * iva_rate))`,
  },
  {
    name: 'the status of a transaction follows from its delivery, its payments and its default',
    violations: `
      SELECT id AS "transactionId", status, delivered_at, paid, in_default, owed_cents
        FROM transactions
       WHERE id = ANY($1)
         AND CASE WHEN ${DELIVERED}
             THEN delivered_at IS NULL OR (paid AND owed_cents > 0)
                  OR status <> CASE WHEN paid THEN 'paid'
                                    WHEN in_default THEN 'in-payment-default' ELSE 'delivery' END
             ELSE delivered_at IS NOT NULL OR paid OR in_default OR owed_cents > 0 END`,
  },
  {
    name: 'the dates of a transaction are in their order',
    violations: `
      SELECT id AS "transactionId", created_at, delivered_at, payment_due_at, expires_at
        FROM transactions
       WHERE id = ANY($1)
         AND (delivered_at < created_at OR payment_due_at < delivered_at
              OR expires_at < created_at OR created_at > now() + interval '1 minute')`,
  },
  {
    name: 'no live transaction has the wholesaler’s id of an earlier one, spelled otherwise',
    violations: (db, ids) => collisionsOf(db, ORDER_KEY, ids),
  },
  {
    name: 'a delivered transaction is due as the terms say that it keeps',
    violations: wrongDueDays,
  },
  {
    name: 'a transaction belongs to the user of its line, and to a customer of its wholesaler',
    violations: `
      SELECT t.id AS "transactionId", t.corner_store_id, t.user_id, line.user_id AS "lineUserId",
             t.wholesaler_id, customer.corner_store_id IS NOT NULL AS "isCustomer"
        FROM transactions t
        LEFT JOIN credit_lines line USING (corner_store_id)
        LEFT JOIN customers customer USING (wholesaler_id, corner_store_id)
        LEFT JOIN wholesalers wholesaler USING (wholesaler_id)
       WHERE t.id = ANY($1)
         AND (line.user_id IS DISTINCT FROM t.user_id OR customer.corner_store_id IS NULL
              OR wholesaler.name IS NULL)`,
  },
  {
    // An item of a batch has no code; its driver is named.
    name: 'a transaction and its verification agree',
    violations: `
      SELECT t.id AS "transactionId", t.status, v.status AS "verificationStatus", v.approved_at
        FROM transactions t LEFT JOIN verifications v ON v.transaction_id = t.id
       WHERE t.id = ANY($1)
         AND (CASE WHEN v.id IS NULL THEN t.driver_id IS NULL
                   WHEN t.status = 'pending-verification' THEN v.status <> 'pending'
                   WHEN t.status IN ('cancelled', 'expired') THEN v.status = 'pending'
                   ELSE v.status <> 'approved' END
              OR (v.status = 'approved') <> (v.approved_at IS NOT NULL)
              OR v.approved_at < t.created_at)`,
  },
  {
    // The wholesaler's settings may change between the read of its terms and the order.
    name: 'an order on hold has its delivery word where its wholesaler has words on',
    violations: `
      SELECT t.id AS "transactionId", t.wholesaler_id, t.status
        FROM transactions t JOIN wholesalers w USING (wholesaler_id)
        LEFT JOIN verifications v ON v.transaction_id = t.id
       WHERE t.id = ANY($1) AND t.status = 'on-hold' AND w.delivery_word_enabled
         AND coalesce(v.approved_at, t.created_at) > w.delivery_words_since + interval '1 minute'
         AND NOT EXISTS (SELECT FROM delivery_words word WHERE word.transaction_id = t.id)`,
  },
  {
    name: 'no order knows of later defaults than its line',
    violations: `
      SELECT t.id AS "transactionId", t.default_version, line.overdue_version
        FROM transactions t JOIN credit_lines line USING (corner_store_id)
       WHERE t.id = ANY($1) AND t.default_version > line.overdue_version`,
  },
  {
    name: 'no order has a delivery word before it is confirmed or after it was given up',
    violations: `
      SELECT t.id AS "transactionId", t.status
        FROM transactions t JOIN delivery_words word ON word.transaction_id = t.id
       WHERE t.id = ANY($1) AND t.status IN ('pending-verification', 'cancelled', 'expired')`,
  },
  {
    name: 'each transaction has its product lines, without gaps',
    violations: `
      SELECT t.id AS "transactionId", line.count AS lines, line.first, line.last
        FROM transactions t CROSS JOIN LATERAL (
          SELECT count(*), min(position) AS first, max(position) AS last
            FROM product_lines WHERE transaction_id = t.id) line
       WHERE t.id = ANY($1)
         AND (line.count = 0 OR line.first <> 0 OR line.last <> line.count - 1)`,
  },
  {
    // Their commission has a check of its own, with that of clawbacks.
    name: 'credit notes are numbered, are of the store of their order, take their share of the delivery off, and have their line',
    violations: `
      SELECT note.id AS "creditNoteId", note.transaction_id, note.number, note.principal_cents,
             note.interest_cents, note.iva_cents, note.commission_cents, line.gross_cents AS line_cents
        FROM (SELECT n.*, t.corner_store_id AS store_id, t.delivered_at, t.interest_rate, t.iva_rate,
                     count(*) OVER earlier + 1 AS position,
                     -- The price of the goods before this note.
                     t.amount_cents - coalesce(sum(n.principal_cents) OVER earlier, 0) AS before
                FROM credit_notes n JOIN transactions t ON t.id = n.transaction_id
               WHERE t.id = ANY($1)
              WINDOW earlier AS (PARTITION BY n.transaction_id ORDER BY n.number
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) note
        CROSS JOIN LATERAL (SELECT before - principal_cents AS after) rest
        LEFT JOIN settlement_lines line ON line.kind = 'credit-note' AND line.source_id = note.id
       WHERE note.delivered_at IS NULL OR note.corner_store_id <> note.store_id OR note.number <> note.position OR rest.after < 0
          OR note.interest_cents
             <> round(before * interest_rate) - round(rest.after * interest_rate)
          OR note.iva_cents <> round(round(before * interest_rate) * iva_rate)
                             - round(round(rest.after * interest_rate) * iva_rate)
          OR (line.transaction_id, line.gross_cents, line.commission_cents)
             IS DISTINCT FROM
             (note.transaction_id, -note.principal_cents, -note.commission_cents)`,
  },
  {
    name: 'each stamped invoice has its file',
    violations: `
      SELECT i.id AS "invoiceId", i.transaction_id, i.uuid
        FROM invoices i LEFT JOIN invoice_files file ON file.id = i.id AND file.uuid = i.uuid
       WHERE i.transaction_id = ANY($1) AND i.kind = 'invoice' AND i.status = 'issued'
         AND i.provider <> 'local' AND file.id IS NULL AND i.issued_at ${KEEPS_FILE}`,
  },
  ...TAX_DOCUMENTS_OF_ORDERS,
  {
    name: 'each invoice has its lines and its time of issue, and bills no more than its order',
    violations: `
      SELECT i.id AS "invoiceId", i.transaction_id, i.status, i.cancellation, i.issued_at, billed.cents AS billed,
             t.status AS "orderStatus", t.amount_cents AS ordered
        FROM invoices i JOIN transactions t ON t.id = i.transaction_id
        LEFT JOIN LATERAL (
          SELECT sum(round((line -> 'product' ->> 'price')::numeric * 100)) - i.discount_cents AS cents,
                 count(*) AS lines
            FROM json_array_elements(
              CASE json_typeof(i.products) WHEN 'array' THEN i.products ELSE '[]' END) line) billed ON true
       CROSS JOIN LATERAL (${CREDITED_BY_DOCUMENTS}) credited
       WHERE i.transaction_id = ANY($1)
         AND (billed.lines = 0
              OR (i.status = 'issued')
                 <> (i.issued_at IS NOT NULL AND i.provider_invoice_id IS NOT NULL)
              OR i.cancellation = 'none' AND i.status = 'issued'
                 AND (t.status IN ('cancelled', 'expired')
                      -- A cent for each line, as it was taken.
                      OR billed.cents - billed.lines - credited.cents
                         > t.amount_cents - (SELECT coalesce(sum(note.principal_cents), 0)
                                               FROM credit_notes note
                                              WHERE note.transaction_id = t.id)))`,
  },
];

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
                     -- A payment or a credit note frees credit, a reversal uses it, and each
                     -- names its payment or its credit note.
                     count(*) FILTER (
                       WHERE (kind IN ('repayment', 'reversal', 'credit')) <> (cause_id IS NOT NULL)
                          OR (kind IN ('release', 'repayment', 'credit')) <> (amount_cents < 0)
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
export function scansOf({
  sealer,
  config,
  accounts,
}: Pick<Context, 'sealer' | 'config' | 'accounts'>): Scan[] {
  const approvals = approvalInvariants(accounts);
  const checksOfOrders = [
    ...CHECKS_OF_ORDERS,
    ...SETTLEMENT_OF_ORDERS,
    approvals.notes,
    wordsOpen(sealer),
  ];
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
    ...settlementScans(config, approvals),
    EXPIRY_SCAN,
    OUTBOX_SCAN,
  ];
}

interface DueOrder {
  transactionId: string;
  deliveredAt: Date | null;
  paymentTermDays: number;
  paymentTimeZone: string;
  paymentDueOn: string;
  paymentDueAt: Date;
}

/** Orders of the release before keep no terms. */
async function wrongDueDays(db: Db, ids: string[]): Promise<object[]> {
  const orders = await query<DueOrder>(
    db,
    `SELECT id AS "transactionId", delivered_at, payment_term_days, payment_time_zone,
            payment_due_on::text AS "paymentDueOn", payment_due_at
       FROM transactions WHERE id = ANY($1) AND payment_due_on IS NOT NULL
      -- Day after day, which dayAfter computes once.
      ORDER BY payment_due_at`,
    [ids],
  );
  return orders.filter((order) => !isDueByItsTerms(order));
}

function isDueByItsTerms({ deliveredAt, paymentDueOn, paymentDueAt, ...terms }: DueOrder): boolean {
  const due = dayAfter(paymentDueAt, terms.paymentTimeZone);
  if (due.date !== paymentDueOn || due.end.getTime() !== paymentDueAt.getTime()) return false;
  if (deliveredAt === null) return true;
  return [0, -CLOCKS_DIFFER_MS, CLOCKS_DIFFER_MS].some((ms) => {
    const delivery = new Date(deliveredAt.getTime() + ms);
    return paymentDue(delivery, terms).paymentDueOn === paymentDueOn;
  });
}

/** A word that was changed, or is another order's, does not open. */
function wordsOpen(sealer: Sealer): Invariant {
  return {
    name: 'the delivery word of each order on hold opens for it',
    violations: async (db, ids) => {
      const words = await query<{ transactionId: string; sealed: Buffer }>(
        db,
        `SELECT transaction_id, word_sealed AS sealed
           FROM delivery_words JOIN transactions t ON t.id = transaction_id
          WHERE t.id = ANY($1) AND t.status = 'on-hold'`,
        [ids],
      );
      return words
        .filter(({ transactionId, sealed }) => !opens(sealer, transactionId, sealed))
        .map(({ transactionId }) => ({ transactionId }));
    },
  };
}

function opens(sealer: Sealer, transactionId: string, sealed: Buffer): boolean {
  try {
    sealer.open(sealed, WORD_PURPOSE, transactionId);
    return true;
  } catch {
    return false;
  }
}
