import type { Db } from '@fiado/chassis/db/database';
import { findTimeline, TIMELINE_END } from '@fiado/chassis/db/find-timeline';
import { query, queryOne } from '@fiado/chassis/db/query';
import { internalEndpoint } from '@fiado/chassis/http/endpoint';
import { type CornerStoreDebts, cornerStoreDebtsCall, owedCall } from '@fiado/contracts/debts';
import { typedCents } from '@fiado/contracts/money';
import { MAX_HITS, searchCall, type SearchHit } from '@fiado/contracts/page';
import { timelineCall } from '@fiado/contracts/timeline';
import type { Context } from '../context';
import { plainReference, REFERENCE_LENGTHS } from '../debts/payment-reference.rules';
import { lastMoneyOf, waitsForUser } from '../db/personal-data';
import { CREDITED, OUTSTANDING } from '../debts/receivable';

/** SQL: the owner of the corner store $1, once it has had a debt. */
const OWNER = '(SELECT user_id FROM credit_balances WHERE corner_store_id = $1)';

/**
 * SQL: deposits of a status that have the reference of the corner store $1. Unmatched ones stay until somebody decides,
 * and have an index by reference; received ones are few, because they are applied at once.
 */
const waitingCents = (status: 'unmatched' | 'received'): string => `
              (SELECT coalesce(sum(valor_cents), 0)::bigint FROM deposits d
                WHERE d.status = '${status}' AND ${waitsForUser('d', OWNER)})`;

/** What a corner store owes, and what of it is overdue by now; see receivableStatus. */
export const cornerStoreDebtsEndpoint = internalEndpoint({
  call: cornerStoreDebtsCall,
  allow: ['service:accounts'],
  handle: async ({ db, clock }: Context, { cornerStoreId }) => {
    const debts = await queryOne<
      Omit<CornerStoreDebts, 'oldestDueAt' | 'lastMoneyAt'> & {
        oldestDueAt: Date | null;
        lastMoneyAt: Date | null;
      }
    >(
      db,
      `SELECT count(*) AS "openDebts", coalesce(sum(cents), 0)::bigint AS "amountDueCents",
              count(*) FILTER (WHERE overdue) AS "overdueDebts",
              coalesce(sum(cents) FILTER (WHERE overdue), 0)::bigint AS "overdueCents",
              min(due_at) AS "oldestDueAt",
              coalesce((SELECT balance_cents FROM credit_balances WHERE corner_store_id = $1), 0)
                AS "creditBalanceCents",
              (SELECT coalesce(sum(amount_cents), 0)::bigint FROM payouts
                WHERE corner_store_id = $1 AND status = 'requested') AS "reservedCents",
              (SELECT coalesce(sum(amount_cents - paid_cents), 0)::bigint FROM recoveries
                WHERE user_id = ${OWNER} AND paid_cents < amount_cents) AS "recoveryCents",
              (SELECT numero_referencia FROM credit_balances WHERE corner_store_id = $1)
                AS "numeroReferencia",
              (SELECT count(*)::int FROM debt_disputes dispute JOIN receivables r USING (transaction_id)
                WHERE dispute.closed_at IS NULL AND r.corner_store_id = $1) AS "openDisputes",
              ${waitingCents('unmatched')} + ${waitingCents('received')} AS "unmatchedCents",
              ${lastMoneyOf(OWNER, '$1')} AS "lastMoneyAt"
         FROM (SELECT due_at, in_default OR due_at < $2 AS overdue,
                      ${OUTSTANDING} AS cents
                 FROM receivables
                -- By the owner, whose open debts have an index.
                WHERE user_id = ${OWNER} AND corner_store_id = $1 AND paid_at IS NULL) open`,
      [cornerStoreId, clock.now()],
    );
    return {
      ...debts,
      oldestDueAt: debts.oldestDueAt?.toISOString() ?? null,
      lastMoneyAt: debts.lastMoneyAt?.toISOString() ?? null,
    };
  },
});

/** What some corner stores owe, in one statement. */
export const owedEndpoint = internalEndpoint({
  call: owedCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { cornerStoreIds }) => ({
    owed: await query<{ cornerStoreId: string; amountDueCents: number }>(
      db,
      `SELECT corner_store_id, sum(${OUTSTANDING})::bigint AS "amountDueCents" FROM receivables
        -- By their owners, whose open debts have an index.
        WHERE user_id = ANY (ARRAY(SELECT user_id FROM credit_balances WHERE corner_store_id = ANY ($1)))
          AND paid_at IS NULL
        GROUP BY corner_store_id`,
      [cornerStoreIds],
    ),
  }),
});

/**
 * Entries of the ledger name no store, so they are looked up by debt. The openings of debts are listed
 * beside them, so a page begins at the earliest with the one that would fill it alone. A paid debt has no entry
 * after its payment, except of a credit note: so the entries of a page are of debts that were opened before
 * its end and not paid before its beginning, and of the few with a credit note. A day is allowed because
 * paid_at of older debts is of the clock of a process, and not of the database. The index
 * receivables_of_store has all that is asked of paid debts. Most open ones have their first version, and no
 * payment. OFFSET 0 looks entries up one by one.
 */
const PAYMENTS = `
  SELECT e.created_at,
         CASE e.cause WHEN 'payment' THEN 'payment.applied' WHEN 'credit' THEN 'debt.credited'
                      ELSE 'payment.reversed' END,
         debt.id || '-' || e.version, r.wholesaler_id, r.transaction_id,
         jsonb_strip_nulls(jsonb_build_object('idFactura', r.id_factura, 'depositId', r.deposit_id,
           'amount', round(abs(e.principal_cents + e.interest_cents + e.iva_cents) / 100.0, 2)))
    FROM (
      SELECT greatest('-infinity', $2::timestamptz, (
               SELECT opened_at FROM receivables
                WHERE corner_store_id = $1 AND opened_at < ${TIMELINE_END}
                ORDER BY opened_at DESC, id DESC OFFSET $6::bigint - 1 LIMIT 1)) AS at OFFSET 0) beginning
    CROSS JOIN LATERAL (
      SELECT id FROM receivables
       WHERE corner_store_id = $1 AND opened_at <= ${TIMELINE_END}
         AND paid_at >= beginning.at - interval '1 day'
      UNION
      SELECT id FROM receivables
       WHERE user_id = ${OWNER}
         AND corner_store_id = $1 AND opened_at <= ${TIMELINE_END}
         AND paid_at IS NULL AND version > 1
      UNION
      SELECT id FROM receivables WHERE corner_store_id = $1 AND ${CREDITED} > 0) debt
    CROSS JOIN LATERAL (
      SELECT * FROM receivable_entries
       WHERE receivable_id = debt.id AND version > 1 AND created_at >= beginning.at OFFSET 0) e
    CROSS JOIN LATERAL (
      SELECT wholesaler_id, transaction_id, id_factura,
             (SELECT deposit_id FROM allocations WHERE id = e.allocation_id) AS deposit_id
        FROM receivables WHERE id = debt.id OFFSET 0) r`;

/** As with payments, a page begins at the earliest with the entry that would fill it alone. */
const BALANCE = `
  SELECT e.created_at, 'balance.' || e.cause, e.user_id || '-' || e.version, NULL::uuid, NULL::uuid,
         jsonb_strip_nulls(jsonb_build_object('depositId', e.deposit_id,
           'amount', round(e.cents / 100.0, 2)))
    FROM credit_balance_entries e
   WHERE e.user_id = ${OWNER}
     AND e.created_at >= coalesce(
       (SELECT created_at FROM credit_balance_entries
         WHERE user_id = ${OWNER} AND created_at < ${TIMELINE_END}
         ORDER BY created_at DESC OFFSET $6::bigint - 1 LIMIT 1),
       '-infinity')`;

/** Debts, what was paid of them, defaults, and the credit balance. */
const PARTS = [
  `SELECT r.opened_at AS at, 'debt.opened' AS type, r.id::text AS id, r.wholesaler_id,
          r.transaction_id AS subject_id,
          jsonb_build_object('idFactura', r.id_factura, 'dueAt', r.due_at, 'amountDue',
            round((r.principal_cents + r.interest_cents + r.iva_cents) / 100.0, 2)) AS details
     FROM receivables r WHERE r.corner_store_id = $1`,
  PAYMENTS,
  `SELECT d.opened_at, 'default.opened', d.id::text, d.wholesaler_id, r.transaction_id,
          jsonb_build_object('idFactura', r.id_factura, 'amount', round(d.amount_cents / 100.0, 2))
     FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
    WHERE d.corner_store_id = $1`,
  `SELECT d.paid_at, 'default.paid', d.id::text, d.wholesaler_id, r.transaction_id,
          jsonb_build_object('idFactura', r.id_factura)
     FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
    WHERE d.corner_store_id = $1 AND d.paid_at IS NOT NULL`,
  `SELECT w.withdrawn_at, 'default.withdrawn', d.id::text, d.wholesaler_id, r.transaction_id,
          jsonb_build_object('idFactura', r.id_factura)
     FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
     JOIN default_withdrawals w ON w.default_id = d.id
    WHERE d.corner_store_id = $1`,
  BALANCE,
];

export const timelineEndpoint = internalEndpoint({
  call: timelineCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, question) => ({
    entries: await findTimeline(db, question, PARTS),
  }),
});

/**
 * Whose debt or account a payment reference is, as people read it; zeros at its head may be missing. Of an amount, the
 * unmatched deposits and the open debts of exactly that much.
 */
export const searchEndpoint = internalEndpoint({
  call: searchCall,
  allow: ['service:accounts'],
  handle: async ({ db }: Context, { text }) => ({
    hits: [...(await findByReference(db, text)), ...(await findByAmount(db, text))],
  }),
});

async function findByReference(db: Db, typed: string): Promise<SearchHit[]> {
  const text = plainReference(typed);
  if (!/^\d+$/.test(text)) return [];
  return query<SearchHit>(
    db,
    `SELECT 'transaction' AS kind, 'idFactura' AS "matchedBy", transaction_id AS id, wholesaler_id,
            corner_store_id, id_factura AS label
       FROM receivables WHERE id_factura IN ($1, $2)
     UNION ALL
     SELECT 'corner-store', 'numeroReferencia', corner_store_id, NULL, corner_store_id,
            numero_referencia
       FROM credit_balances WHERE numero_referencia IN ($1, $3)
     UNION ALL
     (SELECT 'deposit', 'numeroReferencia', id, NULL, NULL, numero_referencia
        FROM deposits WHERE status = 'unmatched' AND numero_referencia IN ($1, $3, $4)
       LIMIT ${MAX_HITS})`,
    [
      text,
      text.padStart(REFERENCE_LENGTHS.idFactura, '0'),
      text.padStart(REFERENCE_LENGTHS.numeroReferencia, '0'),
      typed,
    ],
  );
}

/** Each reads one index. */
async function findByAmount(db: Db, typed: string): Promise<SearchHit[]> {
  const sum = typedCents(typed);
  if (sum === undefined) return [];
  return query<SearchHit>(
    db,
    `(SELECT 'deposit' AS kind, 'amount' AS "matchedBy", id, NULL::uuid AS wholesaler_id,
             NULL::uuid AS corner_store_id, left(numero_referencia, 100) AS label
        FROM deposits WHERE status = 'unmatched' AND valor_cents = $1
       ORDER BY received_at DESC, id DESC LIMIT ${MAX_HITS})
     UNION ALL
     (SELECT 'transaction', 'amount', transaction_id, wholesaler_id, corner_store_id, id_factura
        FROM receivables WHERE paid_at IS NULL AND ${OUTSTANDING} = $1
       ORDER BY due_at, id LIMIT ${MAX_HITS})`,
    [sum],
  );
}
