import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { IsDateText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { PageQuery, pageOf } from '@fiado/contracts/page';
import * as t from '@fiado/chassis/openapi/json-schema';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { listOpsReceivables } from '../db/ops-receivables.repository';
import { RECEIVABLE_STATUSES, type ReceivableStatus } from '../domain/receivable-status';
import { exampleReceivable, presentReceivable, receivableAnswer } from './ops-receivable-answer';

class ListReceivablesQuery extends PageQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @IsOptional()
  @IsUUID()
  transactionId?: string;

  @IsOptional()
  @IsIn(RECEIVABLE_STATUSES)
  status?: ReceivableStatus;

  /** Day or moment before which the last day to pay ends. */
  @IsOptional()
  @IsDateText()
  dueBefore?: string;
}

export const listReceivablesEndpoint = endpoint({
  id: 'listReceivables',
  tag: 'Ops: payments',
  route: 'GET /v1/admin/receivables',
  scope: 'viewer',
  summary: 'List the debts of corner stores',
  description:
    'With the status `pending` or `overdue`: by the last day to pay, the earliest first. Else the ' +
    'newest first. `dueBefore` needs one of these two statuses. A debt is of one delivered order.',
  query: ListReceivablesQuery,
  answer: t.page('ReceivablePage', { receivables: t.listOf(receivableAnswer) }),
  example: { receivables: [exampleReceivable], nextCursor: null },
  input: ({ query }, { config }: Context) => {
    const { wholesalerId, cornerStoreId, transactionId, status, cursor, limit } = query;
    const dueBefore = readDate('dueBefore', query.dueBefore, config.TIME_ZONE);
    if (dueBefore !== undefined && status !== 'pending' && status !== 'overdue') {
      throw new ValidationError(['dueBefore needs the status pending or overdue']);
    }
    const filter = { wholesalerId, cornerStoreId, transactionId, status, dueBefore };
    return { filter, cursor, limit };
  },
  handle: async ({ db, clock, config }: Context, { filter, cursor, limit }) => {
    await requireCursor(db, cursor, 'receivables');
    const now = clock.now();
    const list = { filter, now, defaultsEarly: config.FIADO_MODE === 'sandbox', cursor };
    const found = await listOpsReceivables(db, { ...list, limit: limit + 1 });
    return { now, ...pageOf(found, limit, ({ id }) => id) };
  },
  present: ({ now, page, nextCursor }, { config }: Context) => ({
    receivables: page.map((receivable) => presentReceivable(receivable, now, config.TIME_ZONE)),
    nextCursor,
  }),
});
