import { type Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type {
  ExportKey,
  ExportPage,
  ExportRange,
  ExportRow,
  ExportSource,
} from '@fiado/chassis/exports/exports';
import { amountOf } from '@fiado/contracts/money';
import { OPS_COLUMNS } from '../orders/order-columns';
import type { OpsOrder } from '../orders/order-view';

interface ExportedOrder extends OpsOrder {
  /** createdAt with its microseconds. */
  createdAtText: string;
}

function presentOrder(order: ExportedOrder): ExportRow {
  const { amountCents, interestCents, ivaCents, orderedCents } = order;
  return {
    transactionId: order.id,
    incrementalID: order.incrementalId,
    wholesalerId: order.wholesalerId,
    wholesaler: order.wholesalerName,
    wholesalerTransactionId: order.wholesalerTransactionId,
    cornerStoreId: order.cornerStoreId,
    transactionStatus: order.status,
    orderedAmount: orderedCents === null ? null : amountOf(orderedCents),
    totalAmount: amountOf(amountCents),
    interests: amountOf(interestCents),
    IVAAmount: amountOf(ivaCents),
    totalAmountWithInterests: amountOf(amountCents + interestCents + ivaCents),
    createdAt: order.createdAt,
    movementDate: order.movementDate,
    deliveryDate: order.deliveryDate,
    deliveredAt: order.deliveredAt,
    paymentDate: order.paymentDueAt,
    paidAt: order.paidAt,
  };
}

/**
 * Orders by wholesaler, then by creation: every index by time begins with the wholesaler, and one
 * without it would cost each order a write.
 */
export const orderExport: ExportSource = {
  columns: [
    'transactionId',
    'incrementalID',
    'wholesalerId',
    'wholesaler',
    'wholesalerTransactionId',
    'cornerStoreId',
    'transactionStatus',
    'orderedAmount',
    'totalAmount',
    'interests',
    'IVAAmount',
    'totalAmountWithInterests',
    'createdAt',
    'movementDate',
    'deliveryDate',
    'deliveredAt',
    'paymentDate',
    'paidAt',
  ],
  async *pages(db, range, { after, limit }) {
    for (const wholesalerId of await wholesalersFrom(db, range, after)) {
      let last = after?.wholesalerId === wholesalerId ? after : undefined;
      for (;;) {
        const page = await readPage(db, { ...range, wholesalerId }, { after: last, limit });
        if (page === undefined) break;
        yield page;
        if (page.rows.length < limit) break;
        last = page.last;
      }
    }
  },
};

/** The wholesalers that are left to read, in the order of their ids. */
async function wholesalersFrom(
  db: Db,
  { wholesalerId }: ExportRange,
  after: ExportKey | undefined,
): Promise<string[]> {
  const rows = await query<{ wholesalerId: string }>(
    db,
    `SELECT wholesaler_id FROM wholesalers
      WHERE ($1::uuid IS NULL OR wholesaler_id = $1) AND ($2::uuid IS NULL OR wholesaler_id >= $2)
      ORDER BY wholesaler_id`,
    [wholesalerId, after?.wholesalerId],
  );
  return rows.map((row) => row.wholesalerId);
}

async function readPage(
  db: Db,
  { from, to, wholesalerId }: ExportRange,
  { after, limit }: { after: ExportKey | undefined; limit: number },
): Promise<ExportPage | undefined> {
  const orders = await query<ExportedOrder>(
    db,
    `SELECT ${OPS_COLUMNS}, t.created_at::text AS created_at_text
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.wholesaler_id = $1 AND t.created_at >= $2 AND t.created_at < $3
        AND ($4::timestamptz IS NULL OR (t.created_at, t.id) > ($4, $5::uuid))
      ORDER BY t.created_at, t.id LIMIT $6`,
    [wholesalerId, from, to, after?.at, after?.id, limit],
  );
  const last = orders.at(-1);
  if (last === undefined) return undefined;
  const { id, createdAtText: at } = last;
  return { rows: orders.map(presentOrder), last: { wholesalerId: last.wholesalerId, at, id } };
}
