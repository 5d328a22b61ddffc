import { IsIn, IsOptional, IsUUID } from '@fiado/contracts/class-validator';
import { pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import { IsDateText } from '@fiado/contracts/decorators';
import { PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import {
  exampleStatement,
  opsStatementAnswer,
  presentOpsStatement,
  presentStatement,
  SELECT_STATEMENT,
  type Statement,
  STATEMENT_STATUSES,
  statementAnswer,
  type StatementStatus,
} from './statement';

class ListStatementsQuery extends PageQuery {
  @IsOptional()
  @IsIn(STATEMENT_STATUSES)
  status?: StatementStatus;

  /** Day or moment after which its period ends. */
  @IsOptional()
  @IsDateText()
  from?: string;

  /** Day or moment before which its period begins. */
  @IsOptional()
  @IsDateText()
  to?: string;
}

const SORTS = ['-closedAt', 'closedAt'] as const;

class ListOpsStatementsQuery extends ListStatementsQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;

  @About('`true`: the answer has `totals`, the count and the sum of the rows of all pages')
  @IsOptional()
  @IsIn(['true', 'false'])
  totals?: 'true' | 'false';

  @About('Field to sort by, with `-` the latest first', 'closedAt')
  @IsOptional()
  @IsIn(SORTS)
  sort?: (typeof SORTS)[number];
}

const DESCRIPTION =
  'With `from` and `to`: the statements whose period has a part between them. A period ends at `periodTo`, ' +
  'which does not belong to it.';

export const listStatementsEndpoint = listEndpoint({
  id: 'listStatements',
  as: 'statements.list',
  tag: 'Statements',
  route: 'GET /v1/statements',
  scope: 'statements:read',
  names: {},
  summary: 'List statements, newest first',
  description: DESCRIPTION,
  query: ListStatementsQuery,
  page: 'StatementPage',
  items: { statements: t.field(statementAnswer, 'Statements, newest first') },
  example: exampleStatement,
  input: ({ query: asked, caller }, { config }: Context) => ({
    ...listOf(asked, config.TIME_ZONE),
    wholesalerId: caller.id,
  }),
  find: findStatements,
  present: presentStatement,
});

export const listOpsStatementsEndpoint = listEndpoint({
  id: 'listOpsStatements',
  as: 'statements.list',
  columns: [
    'statementId',
    'wholesaler',
    'number',
    'periodTo',
    'status',
    'lines',
    'amountDue',
    'bankReference',
  ],
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements',
  scope: 'viewer',
  summary: 'List the statements of all wholesalers, newest first',
  description: `${DESCRIPTION} \`totals\` adds up \`amountDue\`.`,
  totals: true,
  query: ListOpsStatementsQuery,
  page: 'OpsStatementPage',
  items: { statements: t.field(opsStatementAnswer, 'Statements, newest first') },
  example: exampleStatement,
  input: ({ query: asked }, { config }: Context) => listOf(asked, config.TIME_ZONE),
  find: findStatements,
  present: presentOpsStatement,
});

const listOf = ({ from, to, ...asked }: ListOpsStatementsQuery, timeZone: string) => ({
  ...asked,
  from: readDate('from', from, timeZone),
  to: readDate('to', to, timeZone),
});

function findStatements(
  { db }: Context,
  { wholesalerId, status, from, to, sort, ...asked }: ReturnType<typeof listOf>,
) {
  return pageOfRows<Statement>(db, asked, {
    select: SELECT_STATEMENT,
    from: 'statements s',
    of: { wholesaler_id: wholesalerId },
    unindexed: { 's.status = $': status, 's.period_to > $': from, 's.period_from < $': to },
    totals: { cents: 's.due_cents' },
    oldestFirst: sort === 'closedAt',
  });
}
