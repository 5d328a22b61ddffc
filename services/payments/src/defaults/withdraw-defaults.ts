import type { Transaction } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { lastMoment } from '../debts/disputes';
import type { Deposit } from '../deposits/deposit';
import { isUnlikelyTime } from '../deposits/deposit.rules';
import { insertNotice } from '../notices/notices.sql';

/**
 * Withdraws defaults that a deposit has just closed and that should not have been opened: the store paid in time, and
 * only the provider's report was late. A payment is in time if it was booked by the last day. A payment that was
 * reported later is in time if its provider signed the report and its `fechaPago` is on or before that day. An
 * improbably late report proves nothing. A store that was notified of the default is notified of the withdrawal.
 * @param closed orders whose default the deposit closed in this database transaction
 */
export async function withdrawDefaults(
  tx: Transaction,
  deposit: Pick<Deposit, 'id' | 'isSigned' | 'paidAt' | 'receivedAt'>,
  closed: string[],
  now: Date,
): Promise<void> {
  if (closed.length === 0 || !deposit.isSigned || isUnlikelyTime(deposit)) return;
  const withdrawn = await query<{ receivableId: string; cornerStoreId: string; isTold: boolean }>(
    tx,
    `WITH withdrawn AS (
       -- Its trigger writes the event default.withdrawn.
       INSERT INTO default_withdrawals (default_id, receivable_id, deposit_id)
       SELECT newest.id, r.id, $2
         FROM receivables r
        CROSS JOIN LATERAL (
          -- Closed ones have no index by receivable.
          SELECT d.id FROM payment_defaults d
           WHERE d.corner_store_id = r.corner_store_id AND d.receivable_id = r.id
           ORDER BY d.opened_at DESC, d.id DESC LIMIT 1) newest
        WHERE r.transaction_id = ANY($1) AND r.paid_at IS NOT NULL
          AND NOT EXISTS (
            SELECT FROM receivable_entries credit
             WHERE credit.receivable_id = r.id AND credit.cause = 'credit'
               AND credit.created_at > ${lastMoment('r')})
          AND NOT EXISTS (
            SELECT FROM allocations a LEFT JOIN deposits d ON d.id = a.deposit_id
             WHERE a.receivable_id = r.id AND a.created_at > ${lastMoment('r')}
               AND NOT coalesce(d.is_signed AND d.paid_at <= ${lastMoment('r')}, false)
               -- One that was taken back takes nothing off.
               AND (SELECT sum(e.principal_cents + e.interest_cents + e.iva_cents)
                      FROM receivable_entries e WHERE e.allocation_id = a.id) <> 0)
       RETURNING receivable_id)
     SELECT r.id AS "receivableId", r.corner_store_id AS "cornerStoreId",
            EXISTS (SELECT FROM notices
                     WHERE subject_id = r.id AND kind = 'payment-overdue' AND state = 'sent')
              AS "isTold"
       FROM withdrawn JOIN receivables r ON r.id = withdrawn.receivable_id`,
    [closed, deposit.id],
  );
  for (const { receivableId, cornerStoreId, isTold } of withdrawn) {
    if (!isTold) continue;
    await insertNotice(tx, {
      kind: 'default-withdrawn',
      subjectId: receivableId,
      cornerStoreId,
      notBefore: now,
    });
  }
}
