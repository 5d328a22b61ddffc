import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import { CountedPageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import { RECEIVABLE_STATUSES, type ReceivableStatus } from './due.rules';
import {
  exampleReceivable,
  OPS_RECEIVABLE,
  type OpsReceivable,
  OUTSTANDING,
  presentReceivable,
  receivableAnswer,
} from './receivable';

/** SQL of the debts with a status now. In a sandbox a debt may be in default before it is due. */
const STATUS_CONDITIONS: Record<ReceivableStatus, (isSandbox: boolean) => string> = {
  paid: () => 'paid_at IS NOT NULL',
  pending: () => 'paid_at IS NULL AND NOT in_default AND due_at >= $',
  overdue: (isSandbox) =>
    `paid_at IS NULL AND (in_default OR due_at < $)${isSandbox ? '' : ' AND due_at < $'}`,
};

/**
 * Open debts of the store $1, by its owner, whose open debts have an index. OFFSET 0 reads them all: by the last
 * day, the debts of all stores would be passed where a page is not full.
 */
const OPEN_OF_STORE = `
  (SELECT * FROM receivables
    WHERE user_id = (SELECT user_id FROM credit_balances WHERE corner_store_id = $1)
      AND paid_at IS NULL OFFSET 0) receivables`;

const SORTS = ['paymentDate', '-paymentDate', 'createdAt', '-createdAt'] as const;

class ListReceivablesQuery extends CountedPageQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @IsOptional()
  @IsUUID()
  cornerStoreId?: string;

  @About('Only those of this order', '0b0c6f3e-5a0f-4a71-9f0a-3d4f6f7a1c11')
  @IsOptional()
  @IsUUID()
  transactionId?: string;

  @IsOptional()
  @IsIn(RECEIVABLE_STATUSES)
  status?: ReceivableStatus;

  @About('Only debts whose last day to pay ends before this ISO 8601 time or date', '2026-12-24')
  @IsOptional()
  @IsDateText()
  dueBefore?: string;

  @About(
    'Only debts whose last day to pay ends at this ISO 8601 time or date, or later',
    '2026-12-01',
  )
  @IsOptional()
  @IsDateText()
  dueFrom?: string;

  @About(
    'Field to sort by, with `-` the latest first: `paymentDate` with the status `pending` or `overdue`, else `createdAt`',
    '-paymentDate',
  )
  @IsOptional()
  @IsIn(SORTS)
  sort?: (typeof SORTS)[number];
}

export const listReceivablesEndpoint = listEndpoint({
  id: 'listReceivables',
  as: 'receivables.list',
  columns: [
    'receivableId',
    'status',
    'daysOverdue',
    'amountDue',
    'amountPaid',
    'paymentDate',
    'paymentTimeZone',
    'externalId',
    'cornerStoreId',
    'idFactura',
    'numeroReferencia',
  ],
  tag: 'Ops: payments',
  route: 'GET /v1/admin/receivables',
  scope: 'viewer',
  summary: 'List the debts of corner stores',
  description:
    'With the status `pending` or `overdue`: by the last day to pay, the earliest first. Else the ' +
    'newest first. `dueFrom` and `dueBefore` need one of these two statuses. A debt is of one delivered order. ' +
    '`totals` adds up `amountDue`.',
  query: ListReceivablesQuery,
  page: 'ReceivablePage',
  items: { receivables: t.field(receivableAnswer, 'Debts') },
  totals: true,
  example: exampleReceivable,
  input: ({ query }, { config }: Context) => {
    const { wholesalerId, cornerStoreId, transactionId, status, sort, ...page } = query;
    const dueBefore = readDate('dueBefore', query.dueBefore, config.TIME_ZONE);
    const isOpen = status === 'pending' || status === 'overdue';
    const dueFrom = readDate('dueFrom', query.dueFrom, config.TIME_ZONE);
    if ((dueBefore ?? dueFrom) !== undefined && !isOpen) {
      throw new ValidationError([
        `${dueBefore === undefined ? 'dueFrom' : 'dueBefore'} needs the status pending or overdue`,
      ]);
    }
    const by = isOpen ? 'paymentDate' : 'createdAt';
    if (sort !== undefined && !sort.endsWith(by)) {
      throw new ValidationError([`sort must be ${by} or -${by} with this status`]);
    }
    const oldestFirst = sort === undefined ? isOpen : !sort.startsWith('-');
    const filter = { wholesalerId, cornerStoreId, transactionId, status, dueFrom, dueBefore };
    return { filter, isOpen, oldestFirst, page };
  },
  find: async ({ db, clock, config }: Context, { filter, isOpen, oldestFirst, page: asked }) => {
    const { wholesalerId, cornerStoreId, transactionId, status, dueFrom, dueBefore } = filter;
    const now = clock.now();
    const tables = isOpen && cornerStoreId !== undefined ? OPEN_OF_STORE : 'receivables';
    const by = isOpen ? 'due_at' : 'opened_at';
    const direction = oldestFirst ? 'ASC' : 'DESC';
    const ofStatus = status && {
      [STATUS_CONDITIONS[status](config.FIADO_MODE === 'sandbox')]: now,
    };
    const found = await pageOfRows<OpsReceivable>(db, asked, {
      select: `SELECT * FROM ${tables}`,
      from: 'receivables',
      totals: { cents: OUTSTANDING, from: tables },
      where: {
        'wholesaler_id = $': wholesalerId,
        'corner_store_id = $': cornerStoreId,
        'transaction_id = $': transactionId,
        ...(isOpen && ofStatus),
        'due_at >= $': dueFrom,
        'due_at < $': dueBefore,
      },
      // Nearly all debts are paid in the end.
      unindexed: isOpen ? {} : { ...ofStatus },
      by,
      oldestFirst,
      values: tables === OPEN_OF_STORE ? [cornerStoreId] : [],
      // The page first: owners and changes are looked up for it alone.
      around: (page) => `
          SELECT ${OPS_RECEIVABLE} FROM (${page}) receivables JOIN credit_balances USING (user_id)
           ORDER BY ${by} ${direction}, receivables.id ${direction}`,
    });
    return { now, ...found };
  },
  present: (receivable, { config }, { now }) =>
    presentReceivable(receivable, now, config.TIME_ZONE),
});
