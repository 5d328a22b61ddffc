import { IsIn, IsOptional } from 'class-validator';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import { amountOf } from '@fiado/contracts/money';
import { pendingChange, presentPendingChange } from '@fiado/chassis/openapi/change-requested';
import * as t from '@fiado/chassis/openapi/json-schema';
import type { Context } from '../context';
import {
  DEPOSIT_FILTERS,
  listDeposits,
  type DepositFilter,
  type ListedDeposit,
} from '../db/deposits.repository';
import {
  depositFields,
  exampleDeposit,
  exampleNotice,
  noticeFields,
  presentDeposit,
} from './deposit-answer';

class ListDepositsQuery extends PageQuery {
  @IsOptional()
  @IsIn(DEPOSIT_FILTERS)
  status?: DepositFilter;
}

/** With the refused bodies that its provider sent under the same claveDePago. */
const listedDeposit = t.object('ListedDeposit', {
  ...depositFields,
  conflicts: t.listOf(t.object('DepositConflict', noticeFields)),
  pendingChange,
});

export const listDepositsEndpoint = endpoint({
  id: 'listDeposits',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/deposits',
  scope: 'viewer',
  summary: 'List deposits, newest first',
  description:
    '`status=conflicting` lists the deposits whose provider sent another body under the same ' +
    '`claveDePago`: `conflicts` has those bodies, up to 20, which were refused with ' +
    '`DEPOSIT_CONFLICT`. `reason` is why a deposit is unmatched: its references are `unknown`, or ' +
    '`ambiguous` because they lead to several users, or it is `above-ceiling`: more than 10,000 pesos and more than three times what its user owes. ' +
    'References are shown up to 1,000 characters.',
  query: ListDepositsQuery,
  answer: t.page('DepositPage', { deposits: t.listOf(listedDeposit) }),
  example: {
    deposits: [
      {
        ...exampleDeposit,
        conflicts: [{ ...exampleNotice, valor: 592, receivedAt: '2026-10-02T15:35:12.345Z' }],
        pendingChange: null,
      },
    ],
    nextCursor: null,
  },
  input: ({ query }) => query,
  handle: async ({ db }: Context, { status: filter, cursor, limit }) => {
    await requireCursor(db, cursor, 'deposits');
    return pageOf(
      await listDeposits(db, { filter, cursor, limit: limit + 1 }),
      limit,
      ({ id }) => id,
    );
  },
  present: ({ page, nextCursor }) => ({ deposits: page.map(presentListedDeposit), nextCursor }),
});

function presentListedDeposit(deposit: ListedDeposit) {
  return {
    ...presentDeposit(deposit),
    pendingChange: presentPendingChange(deposit.pendingChange),
    conflicts: deposit.conflicts.map((conflict) => ({
      idFactura: conflict.idFactura,
      numeroReferencia: conflict.numeroReferencia,
      valor: amountOf(conflict.valorCents),
      fechaPago: conflict.fechaPago,
      claveDePago: deposit.claveDePago,
      receivedAt: new Date(conflict.receivedAt).toISOString(),
    })),
  };
}
