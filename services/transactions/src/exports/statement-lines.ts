import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { ExportKey, ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, exportRows, ownFields } from '@fiado/chassis/exports/part';
import {
  CUSTOMER_COLUMNS,
  fileColumns,
  type PeopleColumn,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import type { SettlementLineRow } from '../statements/settlement-line.entity';
import type { StatementRow } from '../statements/statement.entity';

/** A line's id has the time of its statement, which follows that of its database transaction at once. */
const LATEST_ID_MS = 10 * 60_000;

/** Ids of a day are one range of the primary key: a page of a small wholesaler reads no more than that. */
const SLICE_MS = 24 * 3_600_000;

interface StatementLine extends Pick<
  SettlementLineRow,
  | 'wholesalerId'
  | 'kind'
  | 'statementId'
  | 'transactionId'
  | 'grossCents'
  | 'commissionCents'
  | 'recordedAt'
  | 'payableFrom'
> {
  id: string;
  number: StatementRow['number'] | null;
  wholesalerTransactionId: string | null;
  /** Null for an adjustment, which is of no order. */
  cornerStoreId: string | null;
}

const FIELDS: ExportFields<StatementLine> = {
  lineId: (line) => line.id,
  ...ownFields('wholesalerId', 'kind', 'statementId'),
  statementNumber: (line) => line.number,
  ...ownFields('transactionId', 'wholesalerTransactionId'),
  grossAmount: (line) => amountOf(line.grossCents),
  commission: (line) => amountOf(line.commissionCents),
  netAmount: (line) => amountOf(line.grossCents - line.commissionCents),
  occurredAt: (line) => line.recordedAt,
  payableFrom: (line) => line.payableFrom ?? line.recordedAt,
};

/** Those of a file for people. */
const PEOPLE_FIELDS: ExportFields<StatementLine> = {
  ...FIELDS,
  cornerStoreId: (line) => line.cornerStoreId,
};

/** What a line of a statement is. */
export const LINE_KIND: PeopleColumn = {
  field: 'kind',
  heading: 'Renglón',
  words: {
    delivery: 'Entrega',
    'credit-note': 'Nota de crédito',
    clawback: 'Retiro de lo liquidado',
    adjustment: 'Ajuste',
  },
};

/** What a line of a statement is about. */
export const LINE_AMOUNTS: PeopleColumn[] = [
  { field: 'occurredAt', heading: 'Fecha', kind: 'time' },
  ...fileColumns({ grossAmount: 'Principal', commission: 'Comisión', netAmount: 'Neto' }, 'amount'),
];

/** Lines of statements and drafts in the order of their ids, without the reasons that people typed. */
export const statementLineExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'renglones-de-liquidaciones',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      { field: 'statementNumber', heading: 'Liquidación' },
      LINE_KIND,
      { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
      ...LINE_AMOUNTS,
      ...fileColumns({ lineId: 'Id del renglón', statementId: 'Id de la liquidación' }),
      ...fileColumns({ transactionId: 'Id del pedido', wholesalerId: 'Id del mayorista' }),
    ],
    sumsBy: LINE_KIND,
  },
  async *pages(db, range, { after, limit, forPeople }) {
    const end = range.to.getTime() + LATEST_ID_MS;
    let position = after;
    let start = after === undefined ? range.from.getTime() : timeInId(String(after.id));
    while (start < end) {
      const to = Math.min(start + SLICE_MS, end);
      const slice = { first: firstIdOf(start), behind: firstIdOf(to) };
      const lines = await readSlice(db, { ...range, ...slice }, { after: position, limit });
      const last = lines.at(-1);
      if (last !== undefined) {
        position = { id: last.id };
        const rows = exportRows(forPeople ? PEOPLE_FIELDS : FIELDS, lines);
        yield { rows, last: position };
      }
      if (lines.length < limit) start = to;
    }
  },
};

/** The lowest UUIDv7 of a millisecond. */
export function firstIdOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

function timeInId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

async function readSlice(
  db: Db,
  slice: { from: Date; to: Date; wholesalerId: string | undefined; first: string; behind: string },
  { after, limit }: { after: ExportKey | undefined; limit: number },
): Promise<StatementLine[]> {
  return query<StatementLine>(
    db,
    `SELECT l.id, l.wholesaler_id, l.kind, l.statement_id, s.number, l.transaction_id,
            t.wholesaler_transaction_id, t.corner_store_id, l.gross_cents, l.commission_cents,
            l.recorded_at, l.payable_from
       FROM settlement_lines l
       LEFT JOIN statements s ON s.id = l.statement_id
       LEFT JOIN transactions t ON t.id = l.transaction_id
      WHERE l.id >= $1 AND l.id < $2 AND l.recorded_at >= $3 AND l.recorded_at < $4
        AND ($5::uuid IS NULL OR l.wholesaler_id = $5) AND ($6::uuid IS NULL OR l.id > $6)
      ORDER BY l.id LIMIT $7`,
    [slice.first, slice.behind, slice.from, slice.to, slice.wholesalerId, after?.id, limit],
  );
}
