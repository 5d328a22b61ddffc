import { IsUUID } from '@fiado/contracts/class-validator';
import type { Db } from '@fiado/chassis/db/database';
import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { amountOf } from '@fiado/contracts/money';
import type { Page } from '@fiado/contracts/page';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { amountFields, LINE_KINDS, requireStatement } from './statement';
import { IS_HELD, type SettlementLineRow } from './settlement-line.entity';

/** A row of settlement_lines, with the wholesaler's own id of its order. */
export interface StatementLine extends Pick<
  SettlementLineRow,
  | 'kind'
  | 'transactionId'
  | 'recordedAt'
  | 'grossCents'
  | 'commissionCents'
  | 'reason'
  | 'payableFrom'
> {
  id: string;
  wholesalerTransactionId: string | null;
  cornerStoreId: string | null;
}

export const lineFields = {
  lineId: t.id('Id of the line', '0199e2c4-9d4e-7f50-8b62-738495061730'),
  kind: t.field(t.oneOf(LINE_KINDS), 'Kind of the line'),
  transactionId: t.nullable(fields.transactionId),
  wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
  cornerStoreId: t.nullable(fields.cornerStoreId),
  occurredAt: t.time(
    'Time at which it was recorded; of a delivery its time',
    '2026-11-17T17:00:00.000Z',
  ),
  grossAmount: amountFields.grossAmount,
  commission: t.field(
    t.pesos,
    'Commission of the lender, as the wholesaler agreed it; negative where it is given back',
    9.61,
  ),
  netAmount: t.field(t.pesos, '`grossAmount` less `commission`', 470.89),
  reason: t.textOrNull('Why there is a correction; null for a delivery', 'return'),
};

const lineAnswer = t.object('StatementLine', lineFields);

export type Line = t.AnswerOf<typeof lineAnswer>;

export const exampleLine = { grossAmount: 480.5, reason: null };

export function presentLine(line: StatementLine): Line {
  return {
    lineId: line.id,
    kind: line.kind,
    transactionId: line.transactionId,
    wholesalerTransactionId: line.wholesalerTransactionId,
    cornerStoreId: line.cornerStoreId,
    occurredAt: line.recordedAt.toISOString(),
    grossAmount: amountOf(line.grossCents),
    commission: amountOf(line.commissionCents),
    netAmount: amountOf(line.grossCents - line.commissionCents),
    reason: line.reason,
  };
}

const LIST = {
  summary: 'List the lines of a statement',
  description:
    'Oldest first. `netAmount` is `grossAmount` less `commission`. IVA on the commission is calculated once, for the ' +
    'statement: where the lender adds it to the agreed rate, both are before IVA; where the rate includes it ' +
    '(`COMMISSION_IVA=included`), `commission` contains IVA, and `netAmount` is after IVA.',
  query: PageQuery,
  errors: ['STATEMENT_NOT_FOUND'],
  page: 'StatementLinePage',
  items: { lines: t.field(lineAnswer, 'Lines, oldest first') },
  example: exampleLine,
  find: findLines,
  present: presentLine,
} as const;

const LINE_COLUMNS = [
  'lineId',
  'kind',
  'wholesalerTransactionId',
  'occurredAt',
  'grossAmount',
  'commission',
  'netAmount',
  'reason',
] as const;

export const listStatementLinesEndpoint = listEndpoint({
  ...LIST,
  id: 'listStatementLines',
  as: 'statements.listLines',
  tag: 'Statements',
  route: 'GET /v1/statements/:statementId/lines',
  scope: 'statements:read',
  names: { statementId: 'statement' },
  input: ({ id, query: { ...asked }, caller }) => ({
    ...asked,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
});

export const listOpsStatementLinesEndpoint = listEndpoint({
  ...LIST,
  id: 'listOpsStatementLines',
  as: 'statements.listLines',
  columns: LINE_COLUMNS,
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/:statementId/lines',
  scope: 'viewer',
  summary: 'List the lines of a statement of any wholesaler',
  input: ({ id, query: { ...asked } }) => ({
    ...asked,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
  }),
});

/** A page of the lines of a wholesaler. */
export class WholesalerLinesQuery extends PageQuery {
  @IsUUID()
  wholesalerId: string;
}

export const listOpsDraftLinesEndpoint = listEndpoint({
  ...LIST,
  id: 'listOpsDraftLines',
  as: 'statements.listDraftLines',
  columns: LINE_COLUMNS,
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/draft/lines',
  scope: 'viewer',
  summary: 'List the lines that the next statement of a wholesaler has so far',
  description:
    'Newest first. A line that is recorded meanwhile is on the first page. Lines that are held are in `listOpsHeldLines`.',
  query: WholesalerLinesQuery,
  errors: [],
  page: 'DraftLinePage',
  items: { lines: t.field(lineAnswer, 'Lines, newest first') },
  input: ({ query: { ...asked } }) => asked,
  find: ({ db }: Context, { wholesalerId, ...asked }) =>
    pageOfRows<StatementLine>(db, asked, {
      select: selectLines(),
      from: 'settlement_lines l',
      of: { wholesaler_id: wholesalerId },
      where: { 'l.statement_id IS NULL': true, [`(${IS_HELD}) IS NOT TRUE`]: true },
      by: 'recorded_at',
    }),
});

interface AskedLines extends AskedPage {
  statementId: string;
  /** The wholesaler that must own the statement; undefined for ops. */
  wholesalerId?: string;
}

async function findLines(
  { db }: Context,
  { statementId, wholesalerId, ...asked }: AskedLines,
): Promise<Page<StatementLine>> {
  await requireStatement(db, statementId, wholesalerId);
  return linesAfter(db, statementId, asked);
}

/** All before WHERE, of rows `l`. @param more columns */
export const selectLines = (more = ''): string => `
  SELECT l.id, l.kind, l.transaction_id, t.wholesaler_transaction_id, t.corner_store_id, l.recorded_at,
         l.gross_cents, l.commission_cents, l.reason, l.payable_from${more}
    FROM settlement_lines l LEFT JOIN transactions t ON t.id = l.transaction_id`;

/** Lines of a statement, oldest first. They never change. */
export function linesAfter(
  db: Db,
  statementId: string,
  asked: AskedPage,
): Promise<Page<StatementLine>> {
  return pageOfRows<StatementLine>(db, asked, {
    select: selectLines(),
    from: 'settlement_lines l',
    of: { statement_id: statementId },
    oldestFirst: true,
  });
}
