import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import type { ExportRow } from '@fiado/chassis/exports/part';
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

type ExportedInvoice = TimedRow &
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

const STATUS: PeopleColumn = {
  field: 'status',
  heading: 'Estado',
  words: { pending: 'Por emitirse', issued: 'Emitido', failed: 'No emitido' },
};

/** Invoices and receipts by their creation. Without the receiver's tax id, which is the issuer's to know. */
export const invoiceExport: ExportSource = {
  columns: [
    'invoiceId',
    'transactionId',
    'wholesalerId',
    'wholesalerTransactionId',
    'cornerStoreId',
    'uuid',
    'kind',
    'status',
    'cancellation',
    'isSimulated',
    'subtotal',
    'taxes',
    'total',
    'paymentMethod',
    'failureReason',
    'createdAt',
    'issuedAt',
  ],
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
  pages: pagesByTime<ExportedInvoice>(
    (db, { from, to, wholesalerId }, { at, id, limit }) =>
      query(
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
      ),
    present,
    () => ({}),
  ),
};

function present(invoice: ExportedInvoice): ExportRow {
  const { totalCents, lines } = amountsOf(invoice) ?? { totalCents: 0, lines: [] };
  const untaxedCents = untaxedCentsOf(lines);
  return {
    invoiceId: invoice.id,
    transactionId: invoice.transactionId,
    wholesalerId: invoice.wholesalerId,
    wholesalerTransactionId: invoice.wholesalerTransactionId,
    cornerStoreId: invoice.cornerStoreId,
    uuid: invoice.uuid,
    kind: invoice.kind,
    status: invoice.status,
    cancellation: invoice.cancellation,
    isSimulated: invoice.provider === SIMULATED,
    subtotal: amountOf(untaxedCents),
    taxes: amountOf(totalCents - untaxedCents),
    total: amountOf(totalCents),
    // A receipt has none.
    paymentMethod: invoice.kind === 'invoice' ? 'PPD' : null,
    failureReason: invoice.failureReason,
    createdAt: invoice.createdAt,
    issuedAt: invoice.issuedAt,
  };
}
