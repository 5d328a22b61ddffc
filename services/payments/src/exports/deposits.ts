import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import { amountOf } from '@fiado/contracts/money';

interface ExportedDeposit extends TimedRow {
  providerName: string;
  valorCents: number;
  status: string;
  unmatchedReason: string | null;
  cornerStoreId: string | null;
  paidAt: Date;
  receivedAt: Date;
}

/** Deposits by their arrival, without the texts of their payers. */
export const depositExport: ExportSource = {
  columns: [
    'depositId',
    'paymentProvider',
    'valor',
    'status',
    'reason',
    'cornerStoreId',
    'paidAt',
    'receivedAt',
  ],
  ofNoWholesaler: true,
  pages: pagesByTime<ExportedDeposit>(
    (db, { from, to }, { at, id, limit }) =>
      query(
        db,
        `SELECT d.id, d.provider_name, d.valor_cents, d.status, d.unmatched_reason, d.paid_at,
                d.received_at, b.corner_store_id, d.received_at::text AS at_text
           FROM deposits d LEFT JOIN credit_balances b USING (user_id)
          WHERE d.received_at >= $1 AND d.received_at < $2
            AND ($3::timestamptz IS NULL OR (d.received_at, d.id) > ($3, $4::uuid))
          ORDER BY d.received_at, d.id LIMIT $5`,
        [from, to, at, id, limit],
      ),
    (deposit) => ({
      depositId: deposit.id,
      paymentProvider: deposit.providerName,
      valor: amountOf(deposit.valorCents),
      status: deposit.status,
      reason: deposit.unmatchedReason,
      cornerStoreId: deposit.cornerStoreId,
      paidAt: deposit.paidAt,
      receivedAt: deposit.receivedAt,
    }),
  ),
};
