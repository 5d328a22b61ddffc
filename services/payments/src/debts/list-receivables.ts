import { IsIn, IsOptional, IsUUID } from 'class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsDateText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { pageOf, PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { RECEIVABLE_STATUSES, type ReceivableStatus } from './due.rules';
import {
  exampleReceivable,
  OPS_RECEIVABLE,
  OpsReceivable,
  presentReceivable,
  receivableAnswer,
} from './receivable';

const STATUS_CONDITIONS: Record<ReceivableStatus, string> = {
  paid: 'paid_at IS NOT NULL',
  pending: 'paid_at IS NULL AND NOT in_default AND due_at >= $4',
  overdue: 'paid_at IS NULL AND (in_default OR due_at < $4) AND ($5 OR due_at < $4)',
};

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

interface OpsReceivableFilter {
  wholesalerId: string | undefined;
  cornerStoreId: string | undefined;
  transactionId: string | undefined;
  status: ReceivableStatus | undefined;
  /** Only of an open status: due before this time. */
  dueBefore: Date | undefined;
}

interface ListReceivables {
  filter: OpsReceivableFilter;
  /** The time by which a receivable is overdue. */
  now: Date;
  /** Whether one may be in default before it is due: in a sandbox. */
  defaultsEarly: boolean;
  /** Id of the last receivable of the page before. */
  cursor: string | undefined;
  limit: number;
}

/** Receivables: the open ones by their last day, else the newest first. */
function listOpsReceivables(
  db: Db,
  { filter, now, defaultsEarly, cursor, limit }: ListReceivables,
): Promise<OpsReceivable[]> {
  const { status } = filter;
  const byDueDate = status === 'pending' || status === 'overdue';
  const [place, after, order] = byDueDate
    ? ['due_at, receivables.id', '>', 'due_at, receivables.id']
    : ['opened_at, receivables.id', '<', 'opened_at DESC, receivables.id DESC'];
  return query<OpsReceivable>(
    db,
    `SELECT ${OPS_RECEIVABLE}
       FROM receivables JOIN credit_balances USING (user_id)
      WHERE ($1::uuid IS NULL OR wholesaler_id = $1)
        AND ($2::uuid IS NULL OR receivables.corner_store_id = $2)
        AND ($3::uuid IS NULL OR transaction_id = $3)
        AND ($4::timestamptz IS NOT NULL AND $5::boolean IS NOT NULL)
        AND ${status === undefined ? 'true' : STATUS_CONDITIONS[status]}
        AND ($6::timestamptz IS NULL OR due_at < $6)
        AND ($7::uuid IS NULL OR (${place}) ${after}
              (SELECT ${place} FROM receivables WHERE id = $7))
      ORDER BY ${order} LIMIT $8`,
    [
      filter.wholesalerId ?? null,
      filter.cornerStoreId ?? null,
      filter.transactionId ?? null,
      now,
      defaultsEarly,
      filter.dueBefore ?? null,
      cursor ?? null,
      limit,
    ],
  );
}
