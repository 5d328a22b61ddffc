import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import type { ExportFields } from '@fiado/chassis/exports/part';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import {
  CUSTOMER_COLUMNS,
  type PeopleColumn,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import { SIMULATED } from '../invoices/invoice-provider';
import { amountsOf, untaxedCentsOf } from '../invoices/invoice-amounts.rules';
import type { InvoiceRow } from '../invoices/invoice.entity';

type StoredInvoice = TimedRow &
  Pick<
    InvoiceRow,
    | 'transactionId'
    | 'wholesalerId'
    | 'kind'
    | 'status'
    | 'cancellation'
    | 'uuid'
    | 'provider'
    | 'discountCents'
    | 'products'
    | 'failureReason'
    | 'createdAt'
    | 'issuedAt'
  > & { wholesalerTransactionId: string | null; cornerStoreId: string };

type ExportedInvoice = StoredInvoice & { untaxedCents: number; totalCents: number };

const STATUS: PeopleColumn = {
  field: 'status',
  heading: 'Estado',
  words: { pending: 'Por emitirse', issued: 'Emitido', failed: 'No emitido' },
};

const FIELDS: ExportFields<ExportedInvoice> = {
  invoiceId: (invoice) => invoice.id,
  transactionId: (invoice) => invoice.transactionId,
  wholesalerId: (invoice) => invoice.wholesalerId,
  wholesalerTransactionId: (invoice) => invoice.wholesalerTransactionId,
  cornerStoreId: (invoice) => invoice.cornerStoreId,
  uuid: (invoice) => invoice.uuid,
  kind: (invoice) => invoice.kind,
  status: (invoice) => invoice.status,
  cancellation: (invoice) => invoice.cancellation,
  isSimulated: (invoice) => invoice.provider === SIMULATED,
  subtotal: (invoice) => amountOf(invoice.untaxedCents),
  taxes: (invoice) => amountOf(invoice.totalCents - invoice.untaxedCents),
  total: (invoice) => amountOf(invoice.totalCents),
  // A receipt has none.
  paymentMethod: (invoice) => (invoice.kind === 'invoice' ? 'PPD' : null),
  failureReason: (invoice) => invoice.failureReason,
  createdAt: (invoice) => invoice.createdAt,
  issuedAt: (invoice) => invoice.issuedAt,
};

/** Invoices and receipts by their creation. Without the receiver's tax id, which is the issuer's to know. */
export const invoiceExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'comprobantes',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
      { field: 'uuid', heading: 'Folio fiscal' },
      { field: 'kind', heading: 'Tipo', words: { invoice: 'Factura', receipt: 'Recibo' } },
      STATUS,
      {
        field: 'cancellation',
        heading: 'Cancelación',
        words: {
          none: '',
          requested: 'Pedida',
          accepted: 'Cancelado',
          rejected: 'Rechazada',
          expired: 'Sin respuesta',
        },
      },
      { field: 'issuedAt', heading: 'Emitido el', kind: 'time' },
      { field: 'subtotal', heading: 'Subtotal', kind: 'amount' },
      { field: 'taxes', heading: 'Impuestos', kind: 'amount' },
      { field: 'total', heading: 'Total', kind: 'amount' },
      { field: 'paymentMethod', heading: 'Método de pago' },
      { field: 'failureReason', heading: 'Motivo' },
      { field: 'transactionId', heading: 'Id del pedido' },
      { field: 'cornerStoreId', heading: 'Id de la tienda' },
      { field: 'wholesalerId', heading: 'Id del mayorista' },
    ],
    sumsBy: STATUS,
  },
  pages: pagesByTime<ExportedInvoice>(async (db, { from, to, wholesalerId }, { at, id, limit }) => {
    const invoices = await query<StoredInvoice>(
      db,
      `SELECT i.id, i.transaction_id, i.wholesaler_id, i.uuid, i.kind, i.status, i.cancellation, i.provider,
                i.discount_cents, i.products, i.failure_reason, i.created_at, i.issued_at,
                t.wholesaler_transaction_id, t.corner_store_id, i.created_at::text AS at_text
           FROM invoices i JOIN transactions t ON t.id = i.transaction_id
          WHERE ($1::uuid IS NULL OR i.wholesaler_id = $1)
            AND i.created_at >= $2 AND i.created_at < $3
            AND ($4::timestamptz IS NULL OR (i.created_at, i.id) > ($4, $5::uuid))
          ORDER BY i.created_at, i.id LIMIT $6`,
      [wholesalerId, from, to, at, id, limit],
    );
    return invoices.map(withAmounts);
  }, FIELDS),
};

function withAmounts(invoice: StoredInvoice): ExportedInvoice {
  const { totalCents, lines } = amountsOf(invoice) ?? { totalCents: 0, lines: [] };
  return { ...invoice, totalCents, untaxedCents: untaxedCentsOf(lines) };
}
