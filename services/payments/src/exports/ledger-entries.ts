import { setImmediate } from 'node:timers/promises';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import type { ExportKey, ExportSource } from '@fiado/chassis/exports/exports';
import { type ExportFields, exportRows, ownFields } from '@fiado/chassis/exports/part';
import {
  amountColumns,
  CUSTOMER_COLUMNS,
  fileColumns,
  type PeopleColumn,
  WHOLESALER_COLUMN,
} from '@fiado/chassis/exports/people-file';
import { amountOf } from '@fiado/contracts/money';
import type { DepositRow } from '../deposits/deposit.entity';

const HOUR_MS = 3_600_000;

/**
 * Rows of one statement. It reads whole blocks of the BRIN index, each of some ten thousand rows, so that a
 * statement for each page would read every row some twenty times.
 */
const STATEMENT_ROWS = 5_000;

/** Rows of a slice of time are sorted by each statement, so a slice is not much more than one reads. */
const FIRST_SLICE_MS = HOUR_MS;
const SHORTEST_SLICE_MS = 1_000;
const LONGEST_SLICE_MS = 30 * 24 * HOUR_MS;

interface Entry {
  ledger: string;
  /** The receivable, the recovery, or the user of a credit balance. */
  objectId: string;
  version: number;
  cause: string;
  wholesalerId: string | null;
  cornerStoreId: string;
  transactionId: string | null;
  depositId: string | null;
  payoutId: string | null;
  principalCents: number | null;
  interestCents: number | null;
  ivaCents: number | null;
  cents: number;
  createdAt: Date;
  atText: string;
  /** Of a debt. */
  idFactura: string | null;
  /** The reference that pays the debts of the store, and the key of the deposit: both null in a file for programs. */
  storeReference: string | null;
  claveDePago: DepositRow['claveDePago'] | null;
}

const FIELDS: ExportFields<Entry> = {
  ledger: (entry) => entry.ledger,
  objectId: (entry) => (entry.ledger === 'credit-balance' ? entry.cornerStoreId : entry.objectId),
  entry: (entry) => entry.version,
  ...ownFields('cause', 'wholesalerId', 'cornerStoreId', 'transactionId', 'depositId', 'payoutId'),
  principal: (entry) => amountOrNull(entry.principalCents),
  interests: (entry) => amountOrNull(entry.interestCents),
  IVAAmount: (entry) => amountOrNull(entry.ivaCents),
  amount: (entry) => amountOf(entry.cents),
  createdAt: (entry) => entry.createdAt,
};

/** With what tells debts and deposits from each other in the other files for people. */
const PEOPLE_FIELDS: ExportFields<Entry> = {
  ...FIELDS,
  idFactura: (entry) => entry.idFactura,
  numeroReferencia: (entry) => entry.storeReference,
  claveDePago: (entry) => entry.claveDePago,
};

function amountOrNull(cents: number | null): number | null {
  return cents === null ? null : amountOf(cents);
}

const LEDGER: PeopleColumn = {
  field: 'ledger',
  heading: 'Libro',
  words: { debt: 'Adeudos', 'credit-balance': 'Saldos a favor', recovery: 'Recuperaciones' },
};

const CAUSE: PeopleColumn = {
  field: 'cause',
  heading: 'Movimiento',
  words: {
    opened: 'Nuevo',
    payment: 'Pago',
    reversal: 'Reversión',
    credit: 'Nota de crédito',
    surplus: 'Sobrante de un pago',
    spent: 'Usado para pagar',
    returned: 'Devuelto',
    unassigned: 'Depósito quitado',
    payout: 'Retiro',
    'payout-cancelled': 'Retiro cancelado',
    'payout-returned': 'Retiro devuelto',
    recovery: 'Recuperación',
  },
};

/**
 * The entries of all ledgers by time: of debts, credit balances and recoveries. Only those of debts
 * belong to a wholesaler.
 */
export const ledgerEntryExport: ExportSource = {
  columns: Object.keys(FIELDS),
  people: {
    name: 'movimientos',
    columns: [
      WHOLESALER_COLUMN,
      ...CUSTOMER_COLUMNS,
      LEDGER,
      CAUSE,
      { field: 'createdAt', heading: 'Fecha', kind: 'time' },
      ...amountColumns('principal', 'amount'),
      ...fileColumns({ idFactura: 'Factura', numeroReferencia: 'Referencia' }),
      ...fileColumns({ claveDePago: 'Clave de pago' }),
      ...fileColumns({ objectId: 'Id del adeudo o de la tienda', transactionId: 'Id del pedido' }),
      ...fileColumns({ depositId: 'Id del depósito', payoutId: 'Id del retiro' }),
      ...fileColumns({ cornerStoreId: 'Id de la tienda', wholesalerId: 'Id del mayorista' }),
    ],
    sumsBy: LEDGER,
  },
  async *pages(db, { from, to, wholesalerId }, { after, limit, forPeople }) {
    const fields = forPeople ? PEOPLE_FIELDS : FIELDS;
    let position = after;
    let start = after === undefined ? from : new Date(String(after.sliceStart));
    let sliceMs = FIRST_SLICE_MS;
    while (start < to) {
      const end = new Date(Math.min(start.getTime() + sliceMs, to.getTime()));
      const slice = { start, end, wholesalerId, forPeople };
      const entries = await readSlice(db, slice, position);
      for (let first = 0; first < entries.length; first += limit) {
        const page = entries.slice(first, first + limit);
        position = keyOfLast(page);
        yield { rows: exportRows(fields, page), last: position };
        // Nothing is waited for between the pages of a statement, and other requests have their turn.
        await setImmediate();
      }
      const last = entries.at(-1);
      const isFull = entries.length === STATEMENT_ROWS;
      start = isFull && last !== undefined ? last.createdAt : end;
      sliceMs = isFull
        ? Math.max(sliceMs / 2, SHORTEST_SLICE_MS)
        : Math.min(sliceMs * 2, LONGEST_SLICE_MS);
    }
  },
};

/** @param entries at least one */
function keyOfLast(entries: Entry[]): ExportKey {
  const last = entries.at(-1);
  if (last === undefined) throw new Error('A page has entries');
  const { ledger, objectId, version, createdAt, atText: at } = last;
  // A time of JavaScript is cut to milliseconds: not behind the entry.
  return { sliceStart: createdAt.toISOString(), at, ledger, objectId, version };
}

/**
 * In a slice each table is read by its BRIN index. What belongs to an entry is looked up by its id: a join of
 * thousands of entries would be planned as a read of all debts and allocations.
 */
const IN_SLICE = 'e.created_at >= $1 AND e.created_at < $2';

interface Slice {
  start: Date;
  end: Date;
  wholesalerId: string | undefined;
  forPeople: boolean;
}

async function readSlice(
  db: Db,
  { start, end, wholesalerId, forPeople }: Slice,
  after: ExportKey | undefined,
): Promise<Entry[]> {
  return query<Entry>(
    db,
    `SELECT entry.*, created_at::text AS at_text,
            CASE WHEN $9 THEN (SELECT numero_referencia FROM credit_balances b
                                WHERE b.corner_store_id = entry.corner_store_id)
            END AS "storeReference",
            CASE WHEN $9 THEN (SELECT clave_de_pago FROM deposits WHERE id = entry.deposit_id)
            END AS clave_de_pago FROM (
       SELECT 'debt' AS ledger, e.receivable_id AS object_id, e.version, e.cause, r.wholesaler_id,
              r.corner_store_id, r.transaction_id,
              (SELECT deposit_id FROM allocations WHERE id = e.allocation_id) AS deposit_id,
              NULL::uuid AS payout_id, r.id_factura,
              e.principal_cents, e.interest_cents, e.iva_cents,
              e.principal_cents + e.interest_cents + e.iva_cents AS cents, e.created_at
         FROM receivable_entries e CROSS JOIN LATERAL (
           SELECT wholesaler_id, corner_store_id, transaction_id, id_factura FROM receivables
            WHERE id = e.receivable_id LIMIT 1) r
        WHERE ${IN_SLICE} AND ($3::uuid IS NULL OR r.wholesaler_id = $3)
       UNION ALL
       SELECT 'credit-balance', e.user_id, e.version, e.cause, NULL, b.corner_store_id, NULL,
              e.deposit_id, e.payout_id, NULL, NULL, NULL, NULL, e.cents, e.created_at
         FROM credit_balance_entries e JOIN credit_balances b USING (user_id)
        WHERE ${IN_SLICE} AND $3::uuid IS NULL
       UNION ALL
       SELECT 'recovery', e.recovery_id, e.version, e.cause, NULL, o.corner_store_id, NULL,
              e.deposit_id, NULL, NULL, NULL, NULL, NULL, e.cents, e.created_at
         FROM recovery_entries e JOIN recoveries o ON o.id = e.recovery_id
        WHERE ${IN_SLICE} AND $3::uuid IS NULL) entry
      WHERE $4::timestamptz IS NULL
         OR (created_at, ledger, object_id, version) > ($4, $5::text, $6::uuid, $7::bigint)
      ORDER BY created_at, ledger, object_id, version LIMIT $8`,
    [
      start,
      end,
      wholesalerId,
      after?.at,
      after?.ledger,
      after?.objectId,
      after?.version,
      STATEMENT_ROWS,
      forPeople,
    ],
  );
}
