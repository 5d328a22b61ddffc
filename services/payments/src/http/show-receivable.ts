import { endpoint } from '@fiado/chassis/http/endpoint';
import { AppError } from '@fiado/contracts/errors';
import { amountOf } from '@fiado/contracts/money';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import {
  findAllocations,
  findOpsReceivable,
  findReceivableEntries,
  RECEIVABLE_CAUSES,
} from '../db/ops-receivables.repository';
import { allocationAnswer, exampleAllocation, presentAllocation } from './allocation-answer';
import { exampleReceivable, presentReceivable, receivableFields } from './ops-receivable-answer';

export const showReceivableEndpoint = endpoint({
  id: 'showReceivable',
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
    entries: t.listOf(
      t.object('ReceivableEntry', {
        version: t.count,
        cause: t.oneOf(RECEIVABLE_CAUSES),
        allocationId: t.nullable(t.uuid),
        amount: t.pesos,
        totalAmount: t.pesos,
        interests: t.pesos,
        IVAAmount: t.pesos,
        createdAt: t.timestamp,
      }),
    ),
    allocations: t.listOf(allocationAnswer),
  }),
  example: {
    ...exampleReceivable,
    status: 'paid',
    daysOverdue: 0,
    amountDue: 0,
    amountPaid: 529,
    paidAt: '2026-10-02T15:30:02.345Z',
    entries: [
      {
        version: 1,
        cause: 'opened',
        allocationId: null,
        amount: 529,
        totalAmount: 500,
        interests: 25,
        IVAAmount: 4,
        createdAt: '2026-09-21T16:04:05.678Z',
      },
      {
        version: 2,
        cause: 'payment',
        allocationId: exampleAllocation.allocationId,
        amount: -529,
        totalAmount: -500,
        interests: -25,
        IVAAmount: -4,
        createdAt: '2026-10-02T15:30:02.345Z',
      },
    ],
    allocations: [exampleAllocation],
  },
  input: ({ id }) => id('receivableId', 'RECEIVABLE_NOT_FOUND'),
  handle: async ({ db, clock }: Context, receivableId) => {
    const receivable = await findOpsReceivable(db, receivableId);
    if (receivable === undefined) throw new AppError('RECEIVABLE_NOT_FOUND');
    const [entries, allocations] = await Promise.all([
      findReceivableEntries(db, receivableId),
      findAllocations(db, { receivableId }),
    ]);
    return { receivable, entries, allocations, now: clock.now() };
  },
  present: ({ receivable, entries, allocations, now }, { config }: Context) => ({
    ...presentReceivable(receivable, now, config.TIME_ZONE),
    entries: entries.map((entry) => ({
      version: entry.version,
      cause: entry.cause,
      allocationId: entry.allocationId,
      amount: amountOf(entry.principalCents + entry.interestCents + entry.ivaCents),
      totalAmount: amountOf(entry.principalCents),
      interests: amountOf(entry.interestCents),
      IVAAmount: amountOf(entry.ivaCents),
      createdAt: entry.createdAt.toISOString(),
    })),
    allocations: allocations.map(presentAllocation),
  }),
});
