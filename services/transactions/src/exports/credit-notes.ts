import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, ownFields } from '@fiado/chassis/exports/part';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import {
  amountColumns,
  CUSTOMER_COLUMNS,
  fileColumns,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import { CREDIT_NOTE_COLUMNS, type CreditNote } from '../credit-notes/credit-note';

interface ExportedNote extends CreditNote, TimedRow {
  wholesalerId: string;
  wholesalerTransactionId: string | null;
  cornerStoreId: string;
}

const FIELDS: ExportFields<ExportedNote> = {
  creditNoteId: (note) => note.id,
  ...ownFields('transactionId', 'wholesalerId', 'wholesalerTransactionId', 'cornerStoreId'),
  amount: (note) => amountOf(note.principalCents),
  interests: (note) => amountOf(note.interestCents),
  IVAAmount: (note) => amountOf(note.ivaCents),
  totalAmount: (note) => amountOf(note.principalCents + note.interestCents + note.ivaCents),
  commission: (note) => amountOf(note.commissionCents),
  ...ownFields('reason', 'reference'),
  invoiceAction: (note) => (note.isInvoiced ? 'credit-note-due' : null),
  createdAt: (note) => note.createdAt,
};

/** Credit notes by their creation, with the ids of their orders. */
export const creditNoteExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'notas-de-credito',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
      { field: 'reference', heading: 'Nota del mayorista' },
      {
        field: 'reason',
        heading: 'Motivo',
        words: {
          return: 'Devolución',
          damaged: 'Mercancía dañada',
          missing: 'Mercancía faltante',
          price: 'Precio',
          other: 'Otro',
        },
      },
      { field: 'createdAt', heading: 'Fecha', kind: 'time' },
      ...amountColumns('amount', 'totalAmount'),
      { field: 'commission', heading: 'Comisión', kind: 'amount' },
      ...fileColumns({ creditNoteId: 'Id de la nota', transactionId: 'Id del pedido' }),
      ...fileColumns({ cornerStoreId: 'Id de la tienda', wholesalerId: 'Id del mayorista' }),
    ],
  },
  pages: pagesByTime<ExportedNote>(
    (db, { from, to, wholesalerId }, { at, id, limit }) =>
      query(
        db,
        `SELECT ${CREDIT_NOTE_COLUMNS}, t.wholesaler_id, t.wholesaler_transaction_id,
                t.corner_store_id, note.created_at::text AS at_text
           FROM credit_notes note JOIN transactions t ON t.id = note.transaction_id
          WHERE ($1::uuid IS NULL OR t.wholesaler_id = $1)
            AND note.created_at >= $2 AND note.created_at < $3
            AND ($4::timestamptz IS NULL OR (note.created_at, note.id) > ($4, $5::uuid))
          ORDER BY note.created_at, note.id LIMIT $6`,
        [wholesalerId, from, to, at, id, limit],
      ),
    FIELDS,
  ),
};
