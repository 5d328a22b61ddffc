import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Db } from '@fiado/chassis/db/database';
import { type AskedPage, pageOfRows } from '@fiado/chassis/db/page-of-rows';
import { endpoint } from '@fiado/chassis/http/endpoint';
import { listEndpoint } from '@fiado/chassis/http/list-endpoint';
import * as fields from '@fiado/chassis/openapi/fields';
import * as t from '@fiado/chassis/openapi/json-schema';
import { EXAMPLE_IDS } from '@fiado/contracts/event-examples';
import { amountOf } from '@fiado/contracts/money';
import type { Page } from '@fiado/contracts/page';
import { PageQuery } from '@fiado/contracts/page';
import type { Context } from '../context';
import { amountFields, lastDayOf, requireStatement, type Statement } from './statement';
import { SettlementLineRow } from './settlement-line.entity';

const LINE_KINDS = ['delivery', 'credit-note', 'clawback', 'adjustment'] as const;

/** A row of settlement_lines, with the wholesaler's own id of its order. */
interface StatementLine extends Pick<
  SettlementLineRow,
  'kind' | 'transactionId' | 'recordedAt' | 'grossCents' | 'commissionCents' | 'reason'
> {
  id: string;
  wholesalerTransactionId: string | null;
}

const lineAnswer = t.object('StatementLine', {
  lineId: t.field(t.uuid, 'Id of the line', '0199e2c4-9d4e-7f50-8b62-738495061730'),
  kind: t.field(t.oneOf(LINE_KINDS), 'Kind of the line'),
  transactionId: t.nullable(fields.transactionId),
  wholesalerTransactionId: t.nullable(fields.wholesalerTransactionId),
  occurredAt: t.field(
    t.timestamp,
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
  reason: t.field(t.nullable(t.text), 'Why there is a correction; null for a delivery', 'return'),
});

type Line = t.AnswerOf<typeof lineAnswer>;

const exampleLine: Line = {
  lineId: '0199e2c4-9d4e-7f50-8b62-738495061730',
  kind: 'delivery',
  transactionId: EXAMPLE_IDS.transactionId,
  wholesalerTransactionId: 'PED-4711',
  occurredAt: '2026-11-17T17:00:00.000Z',
  grossAmount: 480.5,
  commission: 9.61,
  netAmount: 470.89,
  reason: null,
};

function presentLine(line: StatementLine): Line {
  return {
    lineId: line.id,
    kind: line.kind,
    transactionId: line.transactionId,
    wholesalerTransactionId: line.wholesalerTransactionId,
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
  columns: [
    'lineId',
    'kind',
    'wholesalerTransactionId',
    'occurredAt',
    'grossAmount',
    'commission',
    'netAmount',
    'reason',
  ],
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/:statementId/lines',
  scope: 'viewer',
  summary: 'List the lines of a statement of any wholesaler',
  input: ({ id, query: { ...asked } }) => ({
    ...asked,
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
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

function linesAfter(db: Db, statementId: string, asked: AskedPage): Promise<Page<StatementLine>> {
  return pageOfRows<StatementLine>(db, asked, {
    select: `
      SELECT l.id, l.kind, l.transaction_id, t.wholesaler_transaction_id, l.recorded_at,
             l.gross_cents, l.commission_cents, l.reason
        FROM settlement_lines l LEFT JOIN transactions t ON t.id = l.transaction_id`,
    from: 'settlement_lines l',
    of: { statement_id: statementId },
    oldestFirst: true,
  });
}

const CSV = {
  summary: 'Get the lines of a statement as a spreadsheet',
  description:
    'All lines, with the fields of `StatementLine` as columns. UTF-8 with a byte order mark. A text that a spreadsheet would ' +
    'take for a formula begins with an apostrophe.',
  errors: ['STATEMENT_NOT_FOUND'],
  answer: t.stream,
  mediaType: 'text/csv',
} as const;

export const getStatementLinesCsvEndpoint = endpoint({
  ...CSV,
  id: 'getStatementLinesCsv',
  tag: 'Statements',
  route: 'GET /v1/statements/:statementId/lines.csv',
  scope: 'statements:read',
  names: { statementId: 'statement' },
  input: ({ id, caller }) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    wholesalerId: caller.id,
  }),
  handle: openCsv,
  headers: fileName,
  present: ({ csv }) => csv,
});

export const getOpsStatementLinesCsvEndpoint = endpoint({
  ...CSV,
  id: 'getOpsStatementLinesCsv',
  tag: 'Ops: statements',
  route: 'GET /v1/admin/statements/:statementId/lines.csv',
  scope: 'viewer',
  summary: 'Get the lines of a statement of any wholesaler as a spreadsheet',
  input: ({ id }) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    wholesalerId: undefined,
  }),
  handle: openCsv,
  headers: fileName,
  present: ({ csv }) => csv,
});

interface Csv {
  statement: Statement;
  /** Last day of its period. */
  lastDay: string;
  csv: Readable;
}

async function openCsv(
  { db, config }: Context,
  { statementId, wholesalerId }: { statementId: string; wholesalerId: string | undefined },
): Promise<Csv> {
  const statement = await requireStatement(db, statementId, wholesalerId);
  const lastDay = lastDayOf(statement, config.TIME_ZONE);
  return { statement, lastDay, csv: Readable.from(csvOf(db, statementId)) };
}

/** Such as statement-abarrotes-del-norte-12-2026-11-22.csv, so that the files of wholesalers stay apart. */
function fileName({
  statement: { wholesaler, wholesalerId, number },
  lastDay,
}: Csv): Record<string, string> {
  const words = wholesaler.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  const name =
    words
      .match(/[\da-z]+/gi)
      ?.join('-')
      .toLowerCase() ?? wholesalerId;
  const file = `statement-${name}-${number}-${lastDay}.csv`;
  return { 'Content-Disposition': `attachment; filename="${file}"` };
}

const COLUMNS: Array<keyof Line> = [
  'lineId',
  'kind',
  'transactionId',
  'wholesalerTransactionId',
  'occurredAt',
  'grossAmount',
  'commission',
  'netAmount',
  'reason',
];

/** Lines that are read at a time: some 800 KB of text. */
const CSV_PAGE = 5_000;

/** Without a byte order mark, spreadsheets read the file as Latin-1. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The file in parts of CSV_PAGE lines. The lines of a statement never change. */
async function* csvOf(db: Db, statementId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([COLUMNS]);
  let cursor: string | undefined;
  for (;;) {
    const { page, nextCursor } = await linesAfter(db, statementId, { cursor, limit: CSV_PAGE });
    if (page.length > 0) {
      yield stringify(page.map(presentLine), { columns: COLUMNS, escape_formulas: true });
    }
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}
