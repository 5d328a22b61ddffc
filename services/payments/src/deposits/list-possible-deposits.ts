import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import { OUTSTANDING } from '../debts/receivable';
import { CANDIDATE_REASONS, rankPossible, type OwnDebts } from './candidates.rules';
import {
  DEPOSIT_COLUMNS,
  depositFields,
  type DepositView,
  exampleDeposit,
  presentDeposit,
} from './deposit';

/** Open debts of one store that deposits are compared with, the oldest first. */
const MAX_DEBTS = 50;

/** Newest unmatched deposits that are compared: they stay until somebody decides, so there are few. */
const MAX_COMPARED = 500;

/** Older ones of exactly the amount of a debt, or with the reference of the store. */
const MAX_FOUND = 50;

export const listPossibleDepositsEndpoint = endpoint({
  id: 'listPossibleDeposits',
  as: 'cornerStores.listPossibleDeposits',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/possible-deposits',
  scope: 'viewer',
  summary: 'List the unmatched deposits that may be a corner store’s',
  description:
    'For a store that says that it paid: up to ten unmatched deposits, the likeliest first, each with the reasons: a ' +
    'reference of the store or of one of its open debts (`reference`), or one that would be with one digit corrected ' +
    '(`similar-reference`), or exactly the amount of such a debt, or of all of them (`amount`). The newest ' +
    `${MAX_COMPARED} unmatched deposits are compared, and older ones of those amounts or of its reference.`,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.object('PossibleDeposits', {
    deposits: t.list(
      t.object('PossibleDeposit', {
        ...depositFields,
        reasons: t.list(t.oneOf(CANDIDATE_REASONS), 'Why it may be the store’s'),
      }),
      'Unmatched deposits, the likeliest first',
    ),
  }),
  example: { deposits: [{ ...exampleDeposit, reasons: ['similar-reference', 'amount'] }] },
  input: ({ id }) => ({ cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND') }),
  handle: async ({ db }: Context, { cornerStoreId }) => {
    const own = await findOwnDebts(db, cornerStoreId);
    // One that never had a delivery has no debt to pay.
    return own === undefined ? [] : rankPossible(await findUnmatched(db, own), own);
  },
  present: (deposits) => ({
    deposits: deposits.map(({ reasons, ...deposit }) => ({ ...presentDeposit(deposit), reasons })),
  }),
});

async function findOwnDebts(db: Db, cornerStoreId: string): Promise<OwnDebts | undefined> {
  const found = await queryRow<{
    reference: string | null;
    debts: Array<{ idFactura: string; cents: number }>;
  }>(
    db,
    `SELECT numero_referencia AS reference,
            (SELECT coalesce(json_agg(debt), '[]') FROM (
               SELECT id_factura AS "idFactura", ${OUTSTANDING} AS cents FROM receivables
                WHERE user_id = credit_balances.user_id AND paid_at IS NULL
                ORDER BY due_at, id LIMIT ${MAX_DEBTS}) debt) AS debts
       FROM credit_balances WHERE corner_store_id = $1`,
    [cornerStoreId],
  );
  if (found === undefined) return undefined;
  const { reference, debts } = found;
  return {
    references: [
      ...(reference === null ? [] : [reference]),
      ...debts.map((debt) => debt.idFactura),
    ],
    debtsCents: debts.map(({ cents }) => cents),
  };
}

function findUnmatched(db: Db, { references, debtsCents }: OwnDebts): Promise<DepositView[]> {
  const all = debtsCents.reduce((sum, cents) => sum + cents, 0);
  const some = (condition: string, limit: number): string => `
    (SELECT id FROM deposits WHERE status = 'unmatched' AND ${condition}
      ORDER BY received_at DESC, id DESC LIMIT ${limit})`;
  return query<DepositView>(
    db,
    `SELECT ${DEPOSIT_COLUMNS} FROM deposits
      WHERE id = ANY (ARRAY(${some('true', MAX_COMPARED)} UNION ${some('valor_cents = ANY ($1)', MAX_FOUND)}
                            UNION ${some('numero_referencia = ANY ($2)', MAX_FOUND)}))`,
    [[...debtsCents, all], references],
  );
}
