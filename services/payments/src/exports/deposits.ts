import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, ownFields } from '@fiado/chassis/exports/part';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import { fileColumns, type PeopleColumn } from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import type { DepositRow } from '../deposits/deposit.entity';

interface ExportedDeposit
  extends TimedRow, Pick<DepositRow, 'idFactura' | 'numeroReferencia' | 'claveDePago'> {
  providerName: string;
  valorCents: number;
  status: string;
  unmatchedReason: string | null;
  cornerStoreId: string | null;
  paidAt: Date;
  receivedAt: Date;
}

const STATUS: PeopleColumn = {
  field: 'status',
  heading: 'Estado',
  words: {
    applied: 'Aplicado',
    received: 'Recibido',
    unmatched: 'Sin asignar',
    reversed: 'Revertido',
  },
};

const FIELDS: ExportFields<ExportedDeposit> = {
  depositId: (deposit) => deposit.id,
  paymentProvider: (deposit) => deposit.providerName,
  valor: (deposit) => amountOf(deposit.valorCents),
  status: (deposit) => deposit.status,
  reason: (deposit) => deposit.unmatchedReason,
  ...ownFields('cornerStoreId', 'paidAt', 'receivedAt'),
};

/** Deposits by their arrival. Only a file for people has the texts of their payers. */
export const depositExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'depositos',
    columns: [
      ...fileColumns({ paymentProvider: 'Proveedor', storeName: 'Tienda' }),
      STATUS,
      {
        field: 'reason',
        heading: 'Motivo',
        words: {
          unknown: 'Referencia desconocida',
          ambiguous: 'Referencia de varias tiendas',
          'above-ceiling': 'Mayor de lo usual',
          'possible-duplicate': 'Quizá ya se reportó',
          unassigned: 'Quitado a una tienda',
        },
      },
      ...fileColumns({ paidAt: 'Pagado el', receivedAt: 'Recibido el' }, 'time'),
      ...fileColumns({ claveDePago: 'Clave de pago', idFactura: 'Factura' }),
      { field: 'numeroReferencia', heading: 'Referencia' },
      { field: 'valor', heading: 'Depositado', kind: 'amount' },
      ...fileColumns({ depositId: 'Id del depósito', cornerStoreId: 'Id de la tienda' }),
    ],
    sumsBy: STATUS,
  },
  ofNoWholesaler: true,
  pages: pagesByTime<ExportedDeposit>(
    (db, { from, to }, { at, id, limit }) =>
      query(
        db,
        `SELECT d.id, d.provider_name, d.valor_cents, d.status, d.unmatched_reason, d.paid_at,
                d.received_at, d.clave_de_pago, d.id_factura, d.numero_referencia, b.corner_store_id, d.received_at::text AS at_text
           FROM deposits d LEFT JOIN credit_balances b USING (user_id)
          WHERE d.received_at >= $1 AND d.received_at < $2
            AND ($3::timestamptz IS NULL OR (d.received_at, d.id) > ($3, $4::uuid))
          ORDER BY d.received_at, d.id LIMIT $5`,
        [from, to, at, id, limit],
      ),
    FIELDS,
    {
      ...ownFields('claveDePago', 'idFactura', 'numeroReferencia'),
    },
  ),
};
