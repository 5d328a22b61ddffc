import type { Db } from '@fiado/chassis/db/database';
import { query, queryRow } from '@fiado/chassis/db/query';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import type { Context } from '../context';
import { type Parts, sumOf } from './allocation.rules';
import {
  exampleReceivable,
  OPS_RECEIVABLE,
  OpsReceivable,
  presentReceivable,
  receivableFields,
} from './receivable';

const RECEIVABLE_CAUSES = ['opened', 'payment', 'reversal', 'credit'] as const;

/** Entries and allocations of a receivable that are shown; one has a few. */
const MAX_SHOWN = 200;

const entryAnswer = t.object('ReceivableEntry', {
  version: t.field(t.count, 'Number of the change', 1),
  cause: t.field(
    t.oneOf(RECEIVABLE_CAUSES),
    '`opened`: the delivery. `payment` and `reversal`: money',
  ),
  allocationId: t.idOrNull(
    'Id of the use of money for a debt; null if the entry is not about money',
    '0199e2c4-8c3d-7e4f-8a51-627384950617',
  ),
  creditNoteId: t.nullable(fields.creditNoteId),
  amount: t.field(t.pesos, 'By how much the debt grew; negative for a payment', 529),
  totalAmount: t.field(t.pesos, 'Part of it for the price of the goods', 500),
  interests: t.field(t.pesos, 'Part of it for interest', 25),
  IVAAmount: t.field(t.pesos, 'Part of it for IVA', 4),
  createdAt: fields.createdAt,
});

export const allocationAnswer = t.object('Allocation', {
  allocationId: t.id(
    'Id of the use of money for a debt; null if the entry is not about money',
    '0199e2c4-8c3d-7e4f-8a51-627384950617',
  ),
  depositId: t.idOrNull(
    'The deposit that it comes from; null for money of a credit balance',
    'c0ffee00-1234-4abc-8def-0123456789ab',
  ),
  receivableId: fields.receivableId,
  transactionId: fields.transactionId,
  idFactura: receivableFields.idFactura,
  amount: t.field(t.pesos, 'Amount that was used for the debt', 529),
  totalAmount: t.field(t.pesos, 'Part of it for the price of the goods', 500),
  interests: t.field(t.pesos, 'Part of it for interest', 25),
  IVAAmount: t.field(t.pesos, 'Part of it for IVA', 4),
  amountReversed: t.field(t.pesos, 'How much of it was taken back', 0),
  createdAt: fields.createdAt,
});

export const showReceivableEndpoint = endpoint({
  id: 'showReceivable',
  as: 'receivables.show',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/receivables/:receivableId',
  scope: 'viewer',
  summary: 'Show a debt with its ledger',
  description:
    'The amounts of `entries` add up to `amountDue`. `allocations` is the money that reached it; ' +
    'its `depositId` is null for money of the credit balance of the user. The first 200 of each.',
  errors: ['RECEIVABLE_NOT_FOUND'],
  answer: t.object('ReceivableDetail', {
    ...receivableFields,
    entries: t.list(entryAnswer, 'Ledger of the debt, oldest first'),
    allocations: t.list(allocationAnswer, 'Money that was used for debts, oldest first'),
  }),
  example: {
    ...exampleReceivable,
    status: 'paid',
    daysOverdue: 0,
    amountDue: 0,
    amountPaid: 529,
    paidAt: '2026-10-02T15:30:02.345Z',
    entries: [
      { allocationId: null, creditNoteId: null },
      {
        version: 2,
        cause: 'payment',
        creditNoteId: null,
        amount: -529,
        totalAmount: -500,
        interests: -25,
        IVAAmount: -4,
        createdAt: '2026-10-02T15:30:02.345Z',
      },
    ],
    allocations: [{ createdAt: '2026-10-02T15:30:02.345Z' }],
  },
  input: ({ id }) => id('receivableId', 'RECEIVABLE_NOT_FOUND'),
  handle: async ({ db, clock }: Context, receivableId) => {
    const receivable = await queryRow<OpsReceivable>(
      db,
      `SELECT ${OPS_RECEIVABLE}
         FROM receivables JOIN credit_balances USING (user_id) WHERE receivables.id = $1`,
      [receivableId],
    );
    if (receivable === undefined) throw new AppError('RECEIVABLE_NOT_FOUND');
    const [entries, allocations] = await Promise.all([
      query<ReceivableEntry>(
        db,
        `SELECT version, cause, allocation_id, credit_note_id, principal_cents, interest_cents, iva_cents, created_at
           FROM receivable_entries WHERE receivable_id = $1 ORDER BY version LIMIT ${MAX_SHOWN}`,
        [receivableId],
      ),
      findAllocations(db, { receivableId }),
    ]);
    return { receivable, entries, allocations, now: clock.now() };
  },
  present: ({ receivable, entries, allocations, now }, { config }: Context) => ({
    ...presentReceivable(receivable, now, config.TIME_ZONE),
    entries: entries.map((entry) =>
      t.presentRow(entryAnswer, entry, {
        amount: amountOf(sumOf(entry)),
        totalAmount: amountOf(entry.principalCents),
        interests: amountOf(entry.interestCents),
        IVAAmount: amountOf(entry.ivaCents),
      }),
    ),
    allocations: allocations.map(presentAllocation),
  }),
});

export function presentAllocation(
  allocation: ReceivableAllocation,
): t.AnswerOf<typeof allocationAnswer> {
  return t.presentRow(allocationAnswer, allocation, {
    allocationId: allocation.id,
    amount: amountOf(sumOf(allocation)),
    totalAmount: amountOf(allocation.principalCents),
    interests: amountOf(allocation.interestCents),
    IVAAmount: amountOf(allocation.ivaCents),
    amountReversed: amountOf(allocation.reversedCents),
  });
}

/** One change of what is owed of a receivable, in cents: negative for a payment or a credit. */
interface ReceivableEntry extends Parts {
  version: number;
  cause: (typeof RECEIVABLE_CAUSES)[number];
  allocationId: string | null;
  /** In transactions, of a credit. */
  creditNoteId: string | null;
  createdAt: Date;
}

/** Money that reached a receivable, in cents: of a deposit, or of its user's credit balance. */
interface ReceivableAllocation extends Parts {
  id: string;
  receivableId: string;
  transactionId: string;
  idFactura: string;
  /** Null for money of the credit balance. */
  depositId: string | null;
  /** How much of it was taken back. */
  reversedCents: number;
  createdAt: Date;
}

/** The allocations to a receivable, or of a deposit, oldest first. */
export function findAllocations(
  db: Db,
  of: { receivableId: string } | { depositId: string },
): Promise<ReceivableAllocation[]> {
  const [column, id] =
    'receivableId' in of
      ? (['receivable_id', of.receivableId] as const)
      : (['deposit_id', of.depositId] as const);
  return query<ReceivableAllocation>(
    db,
    `SELECT allocation.id, receivable_id, transaction_id, id_factura, deposit_id,
            allocation.principal_cents, allocation.interest_cents, allocation.iva_cents,
            (SELECT coalesce(sum(entry.principal_cents + entry.interest_cents + entry.iva_cents), 0)
               FROM receivable_entries entry
              WHERE entry.allocation_id = allocation.id AND entry.cause = 'reversal')::bigint
              AS reversed_cents,
            allocation.created_at
       FROM allocations allocation JOIN receivables ON receivables.id = receivable_id
      WHERE allocation.${column} = $1
      ORDER BY allocation.created_at, allocation.id LIMIT ${MAX_SHOWN}`,
    [id],
  );
}
