import { type Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type {
  ExportKey,
  ExportPage,
  ExportRange,
  ExportSource,
  PageOptions,
} from '@fiado/chassis/exports/exports';
import { type ExportFields, exportRows, ownFields } from '@fiado/chassis/exports/part';
import {
  amountColumns,
  CUSTOMER_COLUMNS,
  fileColumns,
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

const FIELDS: ExportFields<ExportedOrder> = {
  transactionId: (order) => order.id,
  incrementalID: (order) => order.incrementalId,
  wholesalerId: (order) => order.wholesalerId,
  wholesaler: (order) => order.wholesalerName,
  ...ownFields('wholesalerTransactionId', 'cornerStoreId'),
  transactionStatus: (order) => order.status,
  orderedAmount: (order) => (order.orderedCents === null ? null : amountOf(order.orderedCents)),
  totalAmount: (order) => amountOf(order.amountCents),
  interests: (order) => amountOf(order.interestCents),
  IVAAmount: (order) => amountOf(order.ivaCents),
  totalAmountWithInterests: (order) =>
    amountOf(order.amountCents + order.interestCents + order.ivaCents),
  ...ownFields('createdAt', 'movementDate', 'deliveryDate', 'deliveredAt', 'deliveryProof'),
  paymentDate: (order) => order.paymentDueAt,
  paidAt: (order) => order.paidAt,
};

/** Those of a file for people. */
const PEOPLE_FIELDS: ExportFields<ExportedOrder> = {
  ...FIELDS,
  lastDay: (order) => order.lastDay ?? order.paymentDueAt,
};

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
    ...fileColumns({ incrementalID: 'Pedido', wholesalerTransactionId: 'Pedido del mayorista' }),
    STATUS,
    ...fileColumns({ createdAt: 'Pedido el', deliveredAt: 'Entregado el' }, 'time'),
    {
      field: 'deliveryProof',
      heading: 'Palabra de entrega',
      words: { word: 'Correcta', none: 'Sin palabra' },
    },
    { field: 'lastDay', heading: 'Vence', kind: 'day' },
    { field: 'paidAt', heading: 'Pagado el', kind: 'time' },
    { field: 'orderedAmount', heading: 'Principal pedido', kind: 'amount' },
    ...amountColumns('totalAmount', 'totalAmountWithInterests'),
    ...fileColumns({ transactionId: 'Id del pedido', cornerStoreId: 'Id de la tienda' }),
    { field: 'wholesalerId', heading: 'Id del mayorista' },
  ],
  sumsBy: STATUS,
};

/**
 * Orders by wholesaler, then by creation: every index by time begins with the wholesaler, and one
 * without it would cost each order a write.
 */
export const orderExport: ExportSource = {
  columns: Object.keys(FIELDS),
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
  const rows = exportRows(forPeople ? PEOPLE_FIELDS : FIELDS, orders);
  return { rows, last: { wholesalerId: last.wholesalerId, at, id } };
}
