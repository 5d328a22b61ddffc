import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, ownFields } from '@fiado/chassis/exports/part';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import {
  CUSTOMER_COLUMNS,
  fileColumns,
  type PeopleColumn,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import { SIMULATED } from '../invoices/invoice-provider';
import { amountsOf, untaxedCentsOf } from '../invoices/invoice-amounts.rules';
import type { InvoiceRow } from '../invoices/invoice.entity';
import { shrink } from '../invoices/invoice.rules';
import type { TaxDocumentRow } from '../tax-documents/tax-document.entity';

/** SQL: whether a row `own` is on the page; as many as the page has are read. */
const IN_RANGE = `($1::uuid IS NULL OR own.wholesaler_id = $1)
  AND own.created_at >= $2 AND own.created_at < $3
  AND ($4::timestamptz IS NULL OR (own.created_at, own.id) > ($4, $5::uuid))
  ORDER BY own.created_at, own.id LIMIT $6`;

/** An invoice or a receipt, or what is about an invoice; that has its lines, and cents of its own. */
type StoredDocument = TimedRow &
  Pick<
    InvoiceRow,
    | 'transactionId'
    | 'wholesalerId'
    | 'cancellation'
    | 'uuid'
    | 'provider'
    | 'discountCents'
    | 'failureReason'
    | 'createdAt'
    | 'issuedAt'
  > &
  Pick<TaxDocumentRow, 'statementId'> & {
    kind: InvoiceRow['kind'] | TaxDocumentRow['kind'];
    status: InvoiceRow['status'] | TaxDocumentRow['status'];
    /** Null where the row of the invoice is gone. */
    products: InvoiceRow['products'] | null;
    cents: number | null;
    relatedUuid: string | null;
    wholesalerTransactionId: string | null;
    cornerStoreId: string;
  };

/** With what it bills before and with taxes; null where it has no lines, as of a complement. */
type ExportedDocument = StoredDocument & {
  amounts: { totalCents: number; untaxedCents: number } | null;
};

const KIND: PeopleColumn = {
  field: 'kind',
  heading: 'Tipo',
  words: {
    invoice: 'Factura',
    receipt: 'Recibo',
    'credit-note': 'Nota de crédito',
    payment: 'Complemento de pago',
  },
};

const STATUSES = { pending: 'Por emitirse', issued: 'Emitido', failed: 'No emitido' };

const FIELDS: ExportFields<ExportedDocument> = {
  invoiceId: ({ id }) => id,
  ...ownFields('transactionId', 'wholesalerId', 'wholesalerTransactionId', 'cornerStoreId', 'uuid'),
  ...ownFields('relatedUuid', 'statementId', 'kind', 'status', 'cancellation'),
  isSimulated: ({ provider }) => provider === SIMULATED,
  subtotal: ({ amounts }) => amounts && amountOf(amounts.untaxedCents),
  taxes: ({ amounts }) => amounts && amountOf(amounts.totalCents - amounts.untaxedCents),
  total: ({ amounts, cents }) => amountOf(amounts?.totalCents ?? cents ?? 0),
  // A receipt and a complement have none.
  paymentMethod: ({ kind }) => (kind === 'invoice' ? 'PPD' : kind === 'credit-note' ? 'PUE' : null),
  ...ownFields('failureReason', 'createdAt', 'issuedAt'),
};

/**
 * Invoices, receipts, credit notes and payment complements by their creation: of a complement a row for each invoice that it
 * settles. Without the receiver's tax id, which is the issuer's to know.
 */
export const invoiceExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'comprobantes',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      ...fileColumns({ wholesalerTransactionId: 'Pedido del mayorista', uuid: 'Folio fiscal' }),
      { field: 'relatedUuid', heading: 'De la factura' },
      KIND,
      { field: 'status', heading: 'Estado', words: STATUSES },
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
      ...fileColumns({ subtotal: 'Subtotal', taxes: 'Impuestos', total: 'Total' }, 'amount'),
      ...fileColumns({ paymentMethod: 'Método de pago', failureReason: 'Motivo' }),
      ...fileColumns({ transactionId: 'Id del pedido', statementId: 'Id de la liquidación' }),
      ...fileColumns({ cornerStoreId: 'Id de la tienda', wholesalerId: 'Id del mayorista' }),
    ],
    sumsBy: KIND,
  },
  pages: pagesByTime<ExportedDocument>(
    async (db, { from, to, wholesalerId }, { at, id, limit }) => {
      const documents = await query<StoredDocument>(
        db,
        `SELECT documents.*, t.wholesaler_transaction_id, t.corner_store_id,
                documents.created_at::text AS at_text
           FROM (
             (SELECT own.id, own.transaction_id, own.wholesaler_id, own.uuid, own.kind, own.status,
                     own.cancellation, own.provider, own.discount_cents, own.products, own.failure_reason,
                     own.created_at, own.issued_at, NULL::bigint AS cents, NULL AS related_uuid,
                     NULL::uuid AS statement_id
                FROM invoices own WHERE ${IN_RANGE})
             UNION ALL
             (SELECT own.id, own.transaction_id, own.wholesaler_id, own.uuid, own.kind, own.status,
                     own.cancellation, own.provider, i.discount_cents, i.products, NULL,
                     own.created_at, own.issued_at, own.cents, i.uuid, own.statement_id
                FROM tax_documents own LEFT JOIN invoices i ON i.id = own.invoice_id
               WHERE own.transaction_id IS NOT NULL AND own.status <> 'dropped' AND ${IN_RANGE})) documents
           JOIN transactions t ON t.id = documents.transaction_id
          ORDER BY documents.created_at, documents.id LIMIT $6`,
        [wholesalerId, from, to, at, id, limit],
      );
      return documents.map((document) => ({ ...document, amounts: amountsIn(document) }));
    },
    FIELDS,
  ),
};

function amountsIn({
  kind,
  cents,
  discountCents,
  products,
}: StoredDocument): ExportedDocument['amounts'] {
  if (products === null || (cents !== null && kind !== 'credit-note')) return null;
  const billed = { discountCents, products };
  const amounts = amountsOf(cents === null ? billed : shrink(billed, cents));
  if (amounts === undefined) return null;
  return { totalCents: amounts.totalCents, untaxedCents: untaxedCentsOf(amounts.lines) };
}
