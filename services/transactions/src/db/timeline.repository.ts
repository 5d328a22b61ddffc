import type { Db } from '@fiado/chassis/db/database';
import { findTimeline, REFUSALS_OF_STORE } from '@fiado/chassis/db/find-timeline';
import type { TimelineEntry, TimelineQuestion } from '@fiado/contracts/timeline';

/** Orders, their outcome, and the credit that they use. */
const PARTS = [
  // Every order begins with its hold, which keeps the amount that was ordered.
  `SELECT e.created_at AS at, 'order.created' AS type, t.id::text AS id, t.wholesaler_id,
          t.id AS subject_id,
          jsonb_strip_nulls(jsonb_build_object(
            'incrementalID', t.incremental_id, 'wholesalerTransactionId', t.wholesaler_transaction_id,
            'totalAmount', round(e.amount_cents / 100.0, 2), 'status', t.status, 'byLink', t.linked,
            'codeStatus', v.status, 'codeSends', v.sends, 'codeChecks', v.checks,
            'codeExpiresAt', v.expires_at)) AS details
     FROM credit_entries e JOIN transactions t ON t.id = e.transaction_id
     LEFT JOIN verifications v ON v.transaction_id = t.id
    WHERE e.corner_store_id = $1 AND e.kind = 'hold'`,
  `SELECT v.approved_at, 'order.confirmed', t.id::text, t.wholesaler_id, t.id, '{}'::jsonb
     FROM transactions t JOIN verifications v ON v.transaction_id = t.id
    WHERE t.corner_store_id = $1 AND v.approved_at IS NOT NULL`,
  `SELECT t.delivered_at, 'order.delivered', t.id::text, t.wholesaler_id, t.id,
          jsonb_build_object('totalAmount', round(t.amount_cents / 100.0, 2))
     FROM transactions t WHERE t.corner_store_id = $1 AND t.delivered_at IS NOT NULL`,
  `SELECT e.created_at,
          CASE e.kind WHEN 'release' THEN 'order.' || t.status
                      WHEN 'adjustment' THEN 'credit.adjusted'
                      WHEN 'repayment' THEN 'credit.repaid' ELSE 'credit.reversed' END,
          e.id::text, t.wholesaler_id, t.id,
          jsonb_build_object('creditUsed', round(e.amount_cents / 100.0, 2))
     FROM credit_entries e JOIN transactions t ON t.id = e.transaction_id
    WHERE e.corner_store_id = $1 AND e.kind <> 'hold'`,
  REFUSALS_OF_STORE,
];

export function findTransactionsTimeline(
  db: Db,
  question: TimelineQuestion,
): Promise<TimelineEntry[]> {
  return findTimeline(db, question, PARTS);
}
