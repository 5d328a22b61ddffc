import { query } from '@fiado/chassis/db/query';
import type { ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, ownFields } from '@fiado/chassis/exports/part';
import { pagesByTime, type TimedRow } from '@fiado/chassis/exports/pages-by-time';
import {
  amountColumns,
  CUSTOMER_COLUMNS,
  fileColumns,
  type PeopleColumn,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
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
  isWrittenOff: boolean;
  /** Last day to pay in the calendar of its store; null in debts of an old release. */
  lastDay: string | null;
  idFactura: string;
  /** Of its store; the only reference that pays its debts. Null in a file for programs, which has none. */
  numeroReferencia: string | null;
}

const STATE: PeopleColumn = {
  field: 'state',
  heading: 'Estado',
  words: {
    paid: 'Pagado',
    'written-off': 'Castigado',
    overdue: 'Con atraso',
    pending: 'Por vencer',
  },
};

function stateOf({ paidAt, isWrittenOff, inDefault }: ExportedDebt): string {
  if (paidAt !== null) return 'paid';
  if (isWrittenOff) return 'written-off';
  return inDefault ? 'overdue' : 'pending';
}

const FIELDS: ExportFields<ExportedDebt> = {
  receivableId: (debt) => debt.id,
  ...ownFields('transactionId', 'wholesalerId', 'cornerStoreId'),
  totalAmount: (debt) => amountOf(debt.principalCents),
  interests: (debt) => amountOf(debt.interestCents),
  IVAAmount: (debt) => amountOf(debt.ivaCents),
  amountDue: (debt) => amountOf(debt.outstandingCents),
  createdAt: (debt) => debt.openedAt,
  paymentDate: (debt) => debt.dueAt,
  ...ownFields('paidAt', 'inDefault'),
};

/** Debts by the time of their delivery's booking. */
export const debtExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'adeudos',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      STATE,
      { field: 'createdAt', heading: 'Entregado el', kind: 'time' },
      { field: 'lastDay', heading: 'Vence', kind: 'day' },
      { field: 'paidAt', heading: 'Pagado el', kind: 'time' },
      ...amountColumns('totalAmount', 'total'),
      { field: 'amountDue', heading: 'Por cobrar', kind: 'amount' },
      ...fileColumns({ idFactura: 'Factura', numeroReferencia: 'Referencia' }),
      ...fileColumns({ receivableId: 'Id del adeudo', transactionId: 'Id del pedido' }),
      ...fileColumns({ cornerStoreId: 'Id de la tienda', wholesalerId: 'Id del mayorista' }),
    ],
    sumsBy: STATE,
  },
  pages: pagesByTime<ExportedDebt>(
    (db, { from, to, wholesalerId }, { at, id, limit, forPeople }) =>
      query(
        db,
        `SELECT id, transaction_id, wholesaler_id, corner_store_id, principal_cents, interest_cents,
                iva_cents, ${OUTSTANDING} AS outstanding_cents, due_at, opened_at, paid_at, in_default,
                opened_at::text AS at_text, due_on::text AS last_day, id_factura,
                CASE WHEN $7 THEN (SELECT numero_referencia FROM credit_balances
                                    WHERE user_id = receivables.user_id) END AS numero_referencia,
                EXISTS (SELECT FROM write_offs w WHERE w.receivable_id = receivables.id)
                  AS "isWrittenOff"
           FROM receivables
          WHERE ($1::uuid IS NULL OR wholesaler_id = $1) AND opened_at >= $2 AND opened_at < $3
            AND ($4::timestamptz IS NULL OR (opened_at, id) > ($4, $5::uuid))
          ORDER BY opened_at, id LIMIT $6`,
        [wholesalerId, from, to, at, id, limit, forPeople],
      ),
    FIELDS,
    {
      state: (debt) => stateOf(debt),
      ...ownFields('idFactura', 'numeroReferencia'),
      lastDay: (debt) => debt.lastDay ?? debt.dueAt,
      total: (debt) => amountOf(debt.principalCents + debt.interestCents + debt.ivaCents),
    },
  ),
};
