import { Readable } from 'node:stream';
import { IsIn, IsOptional } from '@fiado/contracts/class-validator';
import { stringify } from 'csv-stringify/sync';
import type { Db } from '@fiado/chassis/db/database';
import { BYTE_ORDER_MARK } from '@fiado/chassis/exports/part';
import {
  addedTotals,
  CUSTOMER_COLUMNS,
  fileColumns,
  NO_TOTALS,
  type PeopleFact,
  type PeopleFile,
  peopleWriter,
  withNames,
} from '@fiado/chassis/exports/people-file';
import { endpoint } from '@fiado/chassis/http/endpoint';
import * as t from '@fiado/chassis/openapi/json-schema';
import { About } from '@fiado/contracts/about';
import type { Context } from '../context';
import { LINE_AMOUNTS, LINE_KIND } from '../exports/statement-lines';
import { lastDayOf, presentAmounts, requireStatement, type Statement } from './statement';
import { type Line, linesAfter, presentLine, type StatementLine } from './statement-lines';

const CSV = {
  summary: 'Get the lines of a statement as a spreadsheet',
  description:
    'All lines, with the fields of `StatementLine` but `cornerStoreId` as columns. UTF-8 with a byte order mark. A text that a spreadsheet would ' +
    'take for a formula begins with an apostrophe.',
  errors: ['STATEMENT_NOT_FOUND'],
  answer: t.stream,
  mediaType: 'text/csv',
} as const;

class CsvQuery {
  @About(
    'For whom the file is; `machine` has the fields of `StatementLine`. Default: machine',
    'people',
  )
  @IsOptional()
  @IsIn(['machine', 'people'])
  format?: 'machine' | 'people';
}

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
    forPeople: false,
    showsNames: false,
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
  description:
    `${CSV.description} With \`format=people\` it has Spanish headings, local times, the wholesaler’s own id and ` +
    'the name of the store, which a viewer does not get, and sums at its end.',
  query: CsvQuery,
  input: ({ id, query, caller }) => ({
    statementId: id('statementId', 'STATEMENT_NOT_FOUND'),
    wholesalerId: undefined,
    forPeople: query.format === 'people',
    showsNames: caller.scopes.includes('operator'),
  }),
  handle: openCsv,
  headers: fileName,
  present: ({ csv }) => csv,
});

interface Csv {
  statement: Statement;
  /** Last day of its period. */
  lastDay: string;
  forPeople: boolean;
  csv: Readable;
}

interface AskedCsv {
  statementId: string;
  /** The wholesaler that must own the statement; undefined for ops. */
  wholesalerId: string | undefined;
  forPeople: boolean;
  /** Whether a file for people has the names of the stores. */
  showsNames: boolean;
}

async function openCsv(context: Context, asked: AskedCsv): Promise<Csv> {
  const { db, config } = context;
  const statement = await requireStatement(db, asked.statementId, asked.wholesalerId);
  const lastDay = lastDayOf(statement, config.TIME_ZONE);
  const csv = asked.forPeople ? peopleCsvOf(context, statement, asked) : csvOf(db, statement.id);
  return { statement, lastDay, forPeople: asked.forPeople, csv: Readable.from(csv) };
}

/** Such as statement-abarrotes-del-norte-12-2026-11-22.csv, so that the files of wholesalers stay apart. */
function fileName({
  statement: { wholesaler, wholesalerId, number },
  lastDay,
  forPeople,
}: Csv): Record<string, string> {
  const words = wholesaler.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  const name =
    words
      .match(/[\da-z]+/gi)
      ?.join('-')
      .toLowerCase() ?? wholesalerId;
  const file = `${forPeople ? PEOPLE.name : 'statement'}-${name}-${number}-${lastDay}.csv`;
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

/** The file in parts of CSV_PAGE lines. */
async function* csvOf(db: Db, statementId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + stringify([COLUMNS]);
  for await (const page of pagesOf(db, statementId, CSV_PAGE)) {
    yield stringify(page.map(presentLine), { columns: COLUMNS, escape_formulas: true });
  }
}

/** The pages that have lines. */
async function* pagesOf(
  db: Db,
  statementId: string,
  limit: number,
): AsyncGenerator<StatementLine[]> {
  let cursor: string | undefined;
  for (;;) {
    const { page, nextCursor } = await linesAfter(db, statementId, { cursor, limit });
    if (page.length > 0) yield page;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

const PEOPLE: PeopleFile = {
  name: 'liquidacion',
  columns: [
    ...CUSTOMER_COLUMNS,
    LINE_KIND,
    { field: 'wholesalerTransactionId', heading: 'Pedido del mayorista' },
    ...LINE_AMOUNTS,
    ...fileColumns({ reason: 'Motivo', lineId: 'Id del renglón', transactionId: 'Id del pedido' }),
  ],
  sumsBy: LINE_KIND,
};

/** Lines of which accounts is asked for the names at a time. */
const NAMED_PAGE = 1_000;

async function* peopleCsvOf(
  context: Context,
  statement: Statement,
  { showsNames }: Pick<AskedCsv, 'showsNames'>,
): AsyncGenerator<string> {
  const writer = peopleWriter(PEOPLE, context.config.TIME_ZONE);
  let totals = NO_TOTALS;
  yield writer.beginning();
  for await (const page of pagesOf(context.db, statement.id, NAMED_PAGE)) {
    const { wholesalerId } = statement;
    const lines = page.map((line) => ({ ...presentLine(line), wholesalerId }));
    const named = await withNames(context, lines);
    const rows = showsNames ? named : named.map((row) => ({ ...row, storeName: null }));
    totals = addedTotals(totals, PEOPLE, rows);
    yield writer.rows(rows);
  }
  yield writer.end(totals, factsOf(statement));
}

function factsOf(statement: Statement): PeopleFact[] {
  const { openingBalance, grossAmount, commission, commissionIVA, netAmount, amountDue } =
    presentAmounts(statement);
  return [
    ['Mayorista', statement.wholesaler],
    ['Liquidación', String(statement.number)],
    ['Desde', statement.periodFrom],
    ['Antes de', statement.periodTo],
    ['Saldo anterior', openingBalance],
    ['Principal', grossAmount],
    ['Comisión sin IVA', -commission],
    ['IVA de la comisión', -commissionIVA],
    ['Saldo', netAmount],
    ['A pagar', amountDue],
  ];
}
