import { type Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type {
  ExportKey,
  ExportPage,
  ExportRange,
  ExportSource,
  PageOptions,
} from '@fiado/chassis/exports/exports';
import type { ExportRow } from '@fiado/chassis/exports/part';
import {
  amountColumns,
  CUSTOMER_COLUMNS,
  type PeopleColumn,
  type PeopleFile,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import { OPS_COLUMNS } from '../orders/order-columns';
import type { OpsOrder } from '../orders/order-view';

interface ExportedOrder extends OpsOrder {
  /** createdAt with its microseconds. */
  createdAtText: string;
  /** Last day to pay in the calendar of its store; null in orders of an old release. */
  lastDay: string | null;
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
    deliveryProof: order.deliveryProof,
    paymentDate: order.paymentDueAt,
    paidAt: order.paidAt,
  };
}

const STATUS: PeopleColumn = {
  field: 'transactionStatus',
  heading: 'Estado',
  words: {
    'pending-verification': 'Por confirmar',
    'on-hold': 'Confirmado',
    delivery: 'Entregado',
    paid: 'Pagado',
    'in-payment-default': 'Con atraso',
    cancelled: 'Cancelado',
    expired: 'Caducado',
  },
};

const PEOPLE: PeopleFile = {
  name: 'pedidos',
  columns: [
    WHOLESALER_COLUMN,
    ...CUSTOMER_COLUMNS,
    { field: 'incrementalID', heading: 'Pedido' },
    { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
    STATUS,
    { field: 'createdAt', heading: 'Pedido el', kind: 'time' },
    { field: 'deliveredAt', heading: 'Entregado el', kind: 'time' },
    {
      field: 'deliveryProof',
      heading: 'Palabra de entrega',
      words: { word: 'Correcta', none: 'Sin palabra' },
    },
    { field: 'lastDay', heading: 'Vence', kind: 'day' },
    { field: 'paidAt', heading: 'Pagado el', kind: 'time' },
    { field: 'orderedAmount', heading: 'Principal pedido', kind: 'amount' },
    ...amountColumns({
      principal: 'totalAmount',
      interest: 'interests',
      iva: 'IVAAmount',
      total: 'totalAmountWithInterests',
    }),
    { field: 'transactionId', heading: 'Id del pedido' },
    { field: 'cornerStoreId', heading: 'Id de la tienda' },
    { field: 'wholesalerId', heading: 'Id del mayorista' },
  ],
  sumsBy: STATUS,
};

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
    'deliveryProof',
    'paymentDate',
    'paidAt',
  ],
  people: PEOPLE,
  async *pages(db, range, { after, limit, forPeople }) {
    for (const wholesalerId of await wholesalersFrom(db, range, after)) {
      let last = after?.wholesalerId === wholesalerId ? after : undefined;
      for (;;) {
        const page = await readPage(
          db,
          { ...range, wholesalerId },
          { after: last, limit, forPeople },
        );
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
  { after, limit, forPeople }: PageOptions,
): Promise<ExportPage | undefined> {
  const orders = await query<ExportedOrder>(
    db,
    `SELECT ${OPS_COLUMNS}, t.created_at::text AS created_at_text,
            (t.payment_due_at AT TIME ZONE t.payment_time_zone)::date::text AS last_day
       FROM transactions t JOIN wholesalers wholesaler USING (wholesaler_id)
      WHERE t.wholesaler_id = $1 AND t.created_at >= $2 AND t.created_at < $3
        AND ($4::timestamptz IS NULL OR (t.created_at, t.id) > ($4, $5::uuid))
      ORDER BY t.created_at, t.id LIMIT $6`,
    [wholesalerId, from, to, after?.at, after?.id, limit],
  );
  const last = orders.at(-1);
  if (last === undefined) return undefined;
  const { id, createdAtText: at } = last;
  const rows = orders.map((order) => ({
    ...presentOrder(order),
    ...(forPeople && { lastDay: order.lastDay ?? order.paymentDueAt }),
  }));
  return { rows, last: { wholesalerId: last.wholesalerId, at, id } };
}
