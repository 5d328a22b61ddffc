import type { Db } from '@fiado/chassis/db/database';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';

const CREDIT_ENTRY_KINDS = [
  'hold',
  'adjustment',
  'release',
  'repayment',
  'reversal',
  'credit',
] as const;

/** One change of what a credit line has used. */
export interface CreditEntry {
  id: string;
  transactionId: string;
  kind: (typeof CREDIT_ENTRY_KINDS)[number];
  /** Negative where credit became free. */
  amountCents: number;
  /** The payment or credit note behind it; null where the order itself caused it. */
  causeId: string | null;
  createdAt: Date;
}

const CREDIT_ENTRY = 'id, transaction_id, kind, amount_cents, cause_id, created_at';

export const creditEntryAnswer = t.object('CreditEntry', {
  creditEntryId: t.id('Id of the entry', '0199e2c4-6a1b-7c2d-8e3f-405162738495'),
  transactionId: fields.transactionId,
  kind: t.field(
    t.oneOf(CREDIT_ENTRY_KINDS),
    '`hold`: the order was created. `adjustment`: another amount was delivered. `release`: it ' +
      'was cancelled or has expired. `repayment` and `reversal`: of a payment',
  ),
  amount: t.field(t.pesos, 'By how much the used credit grew; negative where it became free', 500),
  causeId: t.idOrNull(
    'Id of the payment behind a repayment or reversal; null for the others',
    '1c7a1b9e-0c55-4a8e-8f10-6f2f3f0c7a31',
  ),
  createdAt: fields.createdAt,
});

export const exampleCreditEntry: t.ExampleOf<typeof creditEntryAnswer> = { causeId: null };

export const listCreditEntriesEndpoint = endpoint({
  id: 'listCreditEntries',
  as: 'cornerStores.listCreditEntries',
  tag: 'Ops: corner stores',
  route: 'GET /v1/admin/corner-stores/:cornerStoreId/credit-entries',
  scope: 'viewer',
  summary: 'List what changed the used credit of a corner store, newest first',
  description:
    'The amounts of all entries add up to `creditUsed`. A store that has never been sold to on ' +
    'credit may have no line yet; it is not found.',
  query: PageQuery,
  errors: ['CORNER_STORE_NOT_FOUND'],
  answer: t.page('CreditEntryPage', {
    creditLimit: fields.creditLimit,
    creditUsed: t.field(t.pesos, 'Credit in use', 500),
    creditEntries: t.list(creditEntryAnswer, 'Changes of the used credit'),
  }),
  example: {
    creditLimit: 5_000,
    creditEntries: [exampleCreditEntry],
    nextCursor: null,
  },
  input: ({ id, query: { ...asked } }) => ({
    ...asked,
    cornerStoreId: id('cornerStoreId', 'CORNER_STORE_NOT_FOUND'),
  }),
  // A page of the ledger of a corner store's credit line, newest first.
  handle: async ({ db }: Context, { cornerStoreId, ...asked }) => {
    const line = await queryRow<{ limitCents: number; usedCents: number }>(
      db,
      'SELECT limit_cents, used_cents FROM credit_lines WHERE corner_store_id = $1',
      [cornerStoreId],
    );
    if (line === undefined) throw new AppError('CORNER_STORE_NOT_FOUND');
    const found = await pageOfRows<CreditEntry>(db, asked, {
      select: `SELECT ${CREDIT_ENTRY} FROM credit_entries`,
      from: 'credit_entries',
      of: { corner_store_id: cornerStoreId },
      by: 'created_at',
    });
    return { line, ...found };
  },
  present: ({ line, page, nextCursor }) => ({
    creditLimit: amountOf(line.limitCents),
    creditUsed: amountOf(line.usedCents),
    creditEntries: page.map(presentCreditEntry),
    nextCursor,
  }),
});

export function presentCreditEntry(entry: CreditEntry): t.AnswerOf<typeof creditEntryAnswer> {
  return t.presentRow(creditEntryAnswer, entry, {
    creditEntryId: entry.id,
    amount: amountOf(entry.amountCents),
  });
}

/** Entries of one order that are shown; one has a few, and one more for each payment. */
const MAX_OF_TRANSACTION = 200;

/** The entries of an order, oldest first. */
export function findEntriesOfOrder(
  db: Db,
  {
    id,
    cornerStoreId,
    createdAt,
  }: Pick<CreditEntry, 'id' | 'createdAt'> & { cornerStoreId: string },
): Promise<CreditEntry[]> {
  return query<CreditEntry>(
    db,
    `SELECT ${CREDIT_ENTRY} FROM credit_entries
      -- The index has the line and the time; none of its entries is older than the order.
      WHERE corner_store_id = $1 AND created_at >= $2 AND transaction_id = $3
      ORDER BY created_at, id LIMIT ${MAX_OF_TRANSACTION}`,
    [cornerStoreId, createdAt, id],
  );
}
