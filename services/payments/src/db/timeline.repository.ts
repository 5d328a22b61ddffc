import type { Db } from '@fiado/chassis/db/database';
import { findTimeline } from '@fiado/chassis/db/find-timeline';
import type { TimelineEntry, TimelineQuestion } from '@fiado/contracts/timeline';

/** Debts, what was paid of them, defaults, and the credit balance. */
const PARTS = [
  `SELECT r.opened_at AS at, 'debt.opened' AS type, r.id::text AS id, r.wholesaler_id,
          r.transaction_id AS subject_id,
          jsonb_build_object('idFactura', r.id_factura, 'dueAt', r.due_at, 'amountDue',
            round((r.principal_cents + r.interest_cents + r.iva_cents) / 100.0, 2)) AS details
     FROM receivables r WHERE r.corner_store_id = $1`,
  `SELECT e.created_at, CASE e.cause WHEN 'payment' THEN 'payment.applied' ELSE 'payment.reversed' END,
          r.id || '-' || e.version, r.wholesaler_id, r.transaction_id,
          jsonb_strip_nulls(jsonb_build_object('idFactura', r.id_factura, 'depositId', a.deposit_id,
            'amount', round(abs(e.principal_cents + e.interest_cents + e.iva_cents) / 100.0, 2)))
     FROM receivables r JOIN receivable_entries e ON e.receivable_id = r.id
     LEFT JOIN allocations a ON a.id = e.allocation_id
    WHERE r.corner_store_id = $1 AND e.cause <> 'opened'`,
  `SELECT d.opened_at, 'default.opened', d.id::text, d.wholesaler_id, r.transaction_id,
          jsonb_build_object('idFactura', r.id_factura, 'amount', round(d.amount_cents / 100.0, 2))
     FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
    WHERE d.corner_store_id = $1`,
  `SELECT d.paid_at, 'default.paid', d.id::text, d.wholesaler_id, r.transaction_id,
          jsonb_build_object('idFactura', r.id_factura)
     FROM payment_defaults d JOIN receivables r ON r.id = d.receivable_id
    WHERE d.corner_store_id = $1 AND d.paid_at IS NOT NULL`,
  `SELECT e.created_at, 'balance.' || e.cause, b.user_id || '-' || e.version, NULL::uuid, NULL::uuid,
          jsonb_strip_nulls(jsonb_build_object('depositId', e.deposit_id,
            'amount', round(e.cents / 100.0, 2)))
     FROM credit_balances b JOIN credit_balance_entries e ON e.user_id = b.user_id
    WHERE b.corner_store_id = $1`,
];

export function findPaymentsTimeline(db: Db, question: TimelineQuestion): Promise<TimelineEntry[]> {
  return findTimeline(db, question, PARTS);
}
