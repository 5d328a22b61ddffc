import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { query } from '@fiado/chassis/db/query';
import { requireCursor } from '@fiado/chassis/db/require-cursor';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { IsDateText } from '@fiado/contracts/decorators';
import { type Page, pageOf, PageQuery } from '@fiado/contracts/page';
import { readDate } from '@fiado/contracts/request-dates';
import type { Context } from '../context';
import {
  exampleOpsStatement,
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

class ListOpsStatementsQuery extends ListStatementsQuery {
  @IsOptional()
  @IsUUID()
  wholesalerId?: string;
}

const DESCRIPTION =
  'With `from` and `to`: the statements whose period has a part between them. A period ends at `periodTo`, ' +
  'which does not belong to it.';

export const listStatementsEndpoint = endpoint({
  id: 'listStatements',
  as: 'statements.list',
  tag: 'Statements',
  route: 'GET /v1/statements',
  scope: 'statements:read',
  names: {},
  summary: 'List statements, newest first',
  description: DESCRIPTION,
  query: ListStatementsQuery,
  answer: t.page('StatementPage', {
    statements: t.field(t.listOf(statementAnswer), 'Statements, newest first'),
  }),
  example: { statements: [exampleStatement], nextCursor: null },
  input: ({ query: asked, caller }, { config }: Context) => ({
    ...listOf(asked, config.TIME_ZONE),
    wholesalerId: caller.id,
  }),
  handle: listStatements,
  present: ({ page, nextCursor }) => ({ statements: page.map(presentStatement), nextCursor }),
});

export const listOpsStatementsEndpoint = endpoint({
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
  description: DESCRIPTION,
  query: ListOpsStatementsQuery,
  answer: t.page('OpsStatementPage', {
    statements: t.field(t.listOf(opsStatementAnswer), 'Statements, newest first'),
  }),
  example: { statements: [exampleOpsStatement], nextCursor: null },
  input: ({ query: asked }, { config }: Context) => ({
    ...listOf(asked, config.TIME_ZONE),
    wholesalerId: asked.wholesalerId,
  }),
  handle: listStatements,
  present: ({ page, nextCursor }) => ({ statements: page.map(presentOpsStatement), nextCursor }),
});

const listOf = ({ status, from, to, cursor, limit }: ListStatementsQuery, timeZone: string) => ({
  status,
  from: readDate('from', from, timeZone),
  to: readDate('to', to, timeZone),
  cursor,
  limit,
});

async function listStatements(
  { db }: Context,
  {
    wholesalerId,
    status,
    from,
    to,
    cursor,
    limit,
  }: ReturnType<typeof listOf> & { wholesalerId: string | undefined },
): Promise<Page<Statement>> {
  await requireCursor(db, cursor, 'statements', { wholesaler_id: wholesalerId });
  const found = await query<Statement>(
    db,
    `${SELECT_STATEMENT}
      WHERE ($1::uuid IS NULL OR s.wholesaler_id = $1)
        AND ($2::text IS NULL OR s.status = $2)
        AND ($3::timestamptz IS NULL OR s.period_to > $3)
        AND ($4::timestamptz IS NULL OR s.period_from < $4)
        AND ($5::uuid IS NULL OR s.id < $5)
      ORDER BY s.id DESC LIMIT $6`,
    [wholesalerId, status, from, to, cursor, limit + 1],
  );
  return pageOf(found, limit);
}
