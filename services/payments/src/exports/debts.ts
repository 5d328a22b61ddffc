import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import { amountOf } from '@fiado/contracts/money';
import { OUTSTANDING } from '../debts/receivable';

interface ExportedDebt extends TimedRow {
  transactionId: string;
  wholesalerId: string;
  cornerStoreId: string;
  principalCents: number;
  interestCents: number;
  ivaCents: number;
  outstandingCents: number;
  dueAt: Date;
  openedAt: Date;
  paidAt: Date | null;
  inDefault: boolean;
}

/** Debts by the time of their delivery's booking. */
export const debtExport: ExportSource = {
  columns: [
    'receivableId',
    'transactionId',
    'wholesalerId',
    'cornerStoreId',
    'totalAmount',
    'interests',
    'IVAAmount',
    'amountDue',
    'createdAt',
    'paymentDate',
    'paidAt',
    'inDefault',
  ],
  pages: pagesByTime<ExportedDebt>(
    (db, { from, to, wholesalerId }, { at, id, limit }) =>
      query(
        db,
        `SELECT id, transaction_id, wholesaler_id, corner_store_id, principal_cents, interest_cents,
                iva_cents, ${OUTSTANDING} AS outstanding_cents, due_at, opened_at, paid_at, in_default,
                opened_at::text AS at_text
           FROM receivables
          WHERE ($1::uuid IS NULL OR wholesaler_id = $1) AND opened_at >= $2 AND opened_at < $3
            AND ($4::timestamptz IS NULL OR (opened_at, id) > ($4, $5::uuid))
          ORDER BY opened_at, id LIMIT $6`,
        [wholesalerId, from, to, at, id, limit],
      ),
    (debt) => ({
      receivableId: debt.id,
      transactionId: debt.transactionId,
      wholesalerId: debt.wholesalerId,
      cornerStoreId: debt.cornerStoreId,
      totalAmount: amountOf(debt.principalCents),
      interests: amountOf(debt.interestCents),
      IVAAmount: amountOf(debt.ivaCents),
      amountDue: amountOf(debt.outstandingCents),
      createdAt: debt.openedAt,
      paymentDate: debt.dueAt,
      paidAt: debt.paidAt,
      inDefault: debt.inDefault,
    }),
  ),
};
