import { html, NOTHING, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { Pages } from '@fiado/client';
import type { Schema } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import type { DaysFilter } from './filters';
import { buttonLink, pesosOf, textOf, when } from './formats';
import { queryOf, type Page, type Visit } from './visit';
import { say } from './words';

/** Rows of a page, where the API lets its callers choose. */
export const PAGE_SIZE = 25;

/**
 * What a column holds; a figure is a number beside the row's money. On a narrow screen a row is a card: its name and its money are the first line, its
 * time and its state the second; every other column has a line with its heading.
 */
type Kind = 'name' | 'money' | 'figure' | 'when' | 'state';

/**
 * A column's heading, its text of a row, and what it holds. A cell that is a field of the row is shown as its
 * kind: an amount, a moment, or a text; a list that the API sorts by that field is sorted there.
 */
export type Column<Row> = [
  heading: string,
  cell: Extract<keyof Row, string> | ((row: Row) => HtmlValue),
  kind?: Kind,
  sortedBy?: string,
];

/** The columns of a table; false leaves one out. */
export type Columns<Row> = Array<Column<Row> | false>;

/** What a list is asked for beside its filters. */
export interface Asked<Sort> {
  limit: number;
  /** Where the page begins; without one it is the first one. */
  cursor: string | undefined;
  sort?: Sort;
  totals?: 'true';
}

/** A list of the API, and how its rows are shown. */
export interface Listing<Answer, Row, Sort extends string = never> {
  title: string;
  list: (page: Asked<Sort>, days?: DaysFilter['asked']) => Pages<Answer, Row> | Promise<Answer>;
  /** Orders that the API has, such as `createdAt` and `-createdAt`; the first is the one without a choice. */
  sorts?: readonly Sort[];
  /** What its rows are, one and many: with it the rows of all pages are counted. */
  counted?: readonly [one: string, many: string];
  /** Beside the count. */
  whole?: HtmlValue;
  /** The days before, where it is a list of some days: their count stands beside this one's. */
  earlier?: DaysFilter['earlier'];
  /** Below the table. */
  after?: HtmlValue;
  rowsOf: (answer: Answer) => Row[];
  columns: Columns<Row> | ((answer: Answer) => Columns<Row> | Promise<Columns<Row>>);
  /** Under the title. */
  lead?: HtmlValue;
  /** Beside the title. */
  actions?: HtmlValue;
  /** Above the table; what is read for it is read for a page alone, and not for the file of the list. */
  before?: HtmlValue | ((answer: Answer) => Html | Promise<Html>);
  /** What an empty list says. */
  empty?: string;
}

/** The one pattern of a list: a table, and links to the next page and back to the first one. */
export async function listPage<Answer extends object, Row, const Sort extends string = never>(
  visit: Visit,
  listing: Listing<Answer, Row, Sort>,
): Promise<Page> {
  const { req } = visit;
  const { title, lead, actions, rowsOf, columns, before, after, sorts = [] } = listing;
  const { empty = say('No hay nada aquí.', 'Nothing here.') } = listing;
  const { cursor } = req.query;
  const at = typeof cursor === 'string' ? cursor : undefined;
  const chosen = sortIn(visit, sorts);
  const answer = await firstOf(listing, { limit: PAGE_SIZE, cursor: at, ...chosen });
  const rows = rowsOf(answer);
  const asked = typeof columns === 'function' ? await columns(answer) : columns;
  const nextCursor = 'nextCursor' in answer ? answer.nextCursor : null;
  const foot = pageLinks(req.originalUrl, { cursor, nextCursor });
  const by = chosen.sort ?? sorts[0] ?? '';
  const above = rows.length > 0 && (await countedLine(listing, totalsIn(answer)));
  return {
    title,
    lead,
    actions,
    content: html`${typeof before === 'function' ? await before(answer) : before} ${above}
    ${table(title, asked, rows, { empty, sorts, by, here: req.originalUrl })} ${after} ${foot}`,
  };
}

/** The order that a heading of the list leads to; nothing for the one without a choice. */
export function sortIn<Sort extends string>(visit: Visit, sorts: readonly Sort[]): { sort?: Sort } {
  const typed = queryOf(visit, 'orden');
  const sort = sorts.find((one) => one === typed);
  return sort === undefined ? {} : { sort };
}

/** Above the table: how many rows there are, how many of the days before, and the file of them. */
async function countedLine<Answer extends object, Row, Sort extends string>(
  { list, counted, earlier, whole }: Listing<Answer, Row, Sort>,
  totals: Totals | null,
): Promise<HtmlValue> {
  if (counted === undefined || totals === null) {
    return whole && html`<p class="counted"><span></span>${whole}</p>`;
  }
  const past = earlier && (await unlessDown(firstPage(list(ONLY_TOTALS, earlier.asked))));
  const before = past === undefined ? null : totalsIn(past);
  return html`<p class="counted">
    <span>${countOf(totals, counted)}</span>
    ${
      earlier !== undefined &&
      before !== null &&
      html`<span class="quiet">${earlier.called}: ${countOf(before, counted)}</span>`
    }
    ${whole}
  </p>`;
}

/** Of a list no more than its totals. */
const ONLY_TOTALS = { limit: 1, cursor: undefined, totals: 'true' } as const;

type Totals = Schema<'ListTotals'>;

/** Null where they were not asked for, and in a list that has none. */
function totalsIn(answer: object): Totals | null {
  return 'totals' in answer ? (answer.totals as Totals | null) : null;
}

/** The first page with its totals; a service of the release before has none. */
async function firstOf<Answer, Row, Sort extends string>(
  { list, counted }: Listing<Answer, Row, Sort>,
  page: Asked<Sort>,
): Promise<Answer> {
  if (counted === undefined || page.cursor !== undefined) return firstPage(list(page));
  return firstPage(list({ ...page, totals: 'true' })).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'BAD_REQUEST') return firstPage(list(page));
    throw error;
  });
}

/** Such as 37 adeudos, $12,345.00 en total. */
function countOf(
  { count, amount, hasMore }: Totals,
  [one, many]: readonly [one: string, many: string],
): string {
  const more = hasMore ? '+' : '';
  const rows = `${count.toLocaleString('es-MX')}${more} ${count === 1 ? one : many}`;
  if (amount === null || amount === 0) return rows;
  return say(
    `${rows}, ${pesosOf(amount)}${more} en total`,
    `${rows}, ${pesosOf(amount)}${more} in all`,
  );
}

/** The page that a list begins with; the others are not read. */
export async function firstPage<Answer>(
  list: Pages<Answer, unknown> | Promise<Answer>,
): Promise<Answer> {
  if (!('pages' in list)) return list;
  for await (const page of list.pages()) return page;
  throw new Error('A list has at least one page');
}

/**
 * A table. Its roles are written, because a table that is drawn as cards would lose them.
 * @param more what it says without rows, and how a list is sorted
 */
export function table<Row>(
  name: string,
  asked: Columns<Row>,
  rows: readonly Row[],
  more: string | ({ empty: string } & Sorted),
): Html {
  const { empty, ...sorted } = typeof more === 'string' ? { empty: more, ...UNSORTED } : more;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const columns = asked.filter((column) => column !== false);
  return html`<div class="table">
    <table role="table">
      <caption class="unseen">
        ${name}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map((column) => headingOf(column, sorted))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map(([heading, cell, kind]) => html`<td role="cell" ${classOf(kind)} data-label="${heading}">${shownOf(row, cell, kind)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function shownOf<Row>(row: Row, cell: Column<Row>[1], kind: Kind | undefined): HtmlValue {
  if (typeof cell === 'function') return cell(row);
  const value = row[cell];
  if (kind === 'when') return when(value);
  return kind === 'money' || kind === 'figure' ? pesosOf(value) : textOf(value);
}

/** How a list is sorted, and the address of the page. */
interface Sorted {
  sorts: readonly string[];
  /** A field, with `-` the latest or largest first. */
  by: string;
  here: string;
}

const UNSORTED: Sorted = { sorts: [], by: '', here: '' };

/** A heading; that of a column that the list can be sorted by leads there, and once more to the other direction. */
function headingOf<Row>([heading, cell, kind, sortedBy]: Column<Row>, sorted: Sorted): Html {
  const field = sortedBy ?? (typeof cell === 'string' ? cell : '');
  const choices = sorted.sorts.filter((one) => one === field || one === `-${field}`);
  const [first] = choices;
  if (first === undefined) {
    return html`<th role="columnheader" scope="col" ${classOf(kind)}>${heading}</th>`;
  }
  const isBy = choices.includes(sorted.by);
  const isFalling = sorted.by.startsWith('-');
  const next = isBy ? (choices.find((one) => one !== sorted.by) ?? sorted.by) : first;
  const order = isFalling ? 'descending' : 'ascending';
  return html`<th
    role="columnheader"
    scope="col"
    ${classOf(kind)}
    ${isBy && html`aria-sort="${order}"`}
  >
    <a href="${hrefOf(sorted.here, 'orden', next)}"
      >${heading} <span aria-hidden="true">${isBy ? (isFalling ? '↓' : '↑') : '↕'}</span></a
    >
  </th>`;
}

function classOf(kind: Kind | undefined): HtmlValue {
  return kind !== undefined && html` class="${kind}"`;
}

/** A list of the API that is one part of a page: a service that does not answer leaves the others. */
export async function part<Answer, Row>({
  title,
  list,
  rowsOf,
  columns,
  empty,
  more,
}: Pick<Listing<Answer, Row>, 'title' | 'list' | 'rowsOf'> & {
  columns: Columns<Row>;
  empty: string;
  /** A link beside the title. */
  more?: HtmlValue;
}): Promise<Html> {
  const content = firstPage(list({ limit: PAGE_SIZE, cursor: undefined })).then((answer) =>
    table(title, columns, rowsOf(answer), empty),
  );
  return partOf(title, await unlessRefused(content), more);
}

/** A part of a page: a title, and a table or a sentence. */
export function partOf(title: string, content: Html, more?: HtmlValue): Html {
  return html`<section class="part">
    <header>
      <h2>${title}</h2>
      ${more}
    </header>
    ${content}
  </section>`;
}

interface TablePart<Row> {
  title: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  /** What it says without rows; without this the part is left out then. */
  empty?: string;
  /** Above the table. */
  note?: string | false;
  /** A link beside the title. */
  more?: HtmlValue;
}

/** A part of a page that is a table. */
export function tablePart<Row>(of: TablePart<Row>): Html {
  const { title, columns, rows, empty, note, more } = of;
  if (rows.length === 0 && empty === undefined) return NOTHING;
  const above = note && html`<p class="quiet">${note}</p>`;
  return partOf(title, html`${above}${table(title, columns, rows, empty ?? '')}`, more);
}

/** A card with a title. */
export function card(title: string, content: HtmlValue, more?: HtmlValue): Html {
  return html`<section class="card">
    <header>
      <h2>${title}</h2>
      ${more}
    </header>
    ${content}
  </section>`;
}

/** A part of a page, or a sentence in its place when the API refuses it. */
export async function unlessRefused(content: Promise<Html>): Promise<Html> {
  return content.catch((error: unknown) => {
    if (!(error instanceof ApiRefusal)) throw error;
    return html`<p class="empty">
      ${say('No hay respuesta. Intenta en un momento.', 'No answer. Try again in a moment.')}
    </p>`;
  });
}

/** Undefined while the service that knows the answer does not answer. */
export async function unlessDown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof ApiRefusal)) throw error;
    return undefined;
  });
}

/** A name and a value of a record. */
export type Fact = [name: string, value: HtmlValue];

/** Facts of a record, as a list of descriptions. */
export function factList(facts: Array<Fact | false>): Html {
  return html`<dl>
    ${facts
      .filter((fact) => fact !== false)
      .map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`;
}

/** A card of facts. @param below the facts */
export function factCard(title: string, facts: Array<Fact | false>, below?: HtmlValue): Html {
  return card(title, html`${factList(facts)} ${below}`);
}

/** Amounts that add up; those with `all` are a total. */
export function sumList(rows: Array<[name: string, amount: string, all?: 'all'] | false>): Html {
  return html`<dl class="sums">
    ${rows
      .filter((row) => row !== false)
      .map(
        ([name, amount, all = '']) =>
          html`<dt class="${all}">${name}</dt>
            <dd class="${all}">${amount}</dd>`,
      )}
  </dl>`;
}

/**
 * Links from one page of a list to the next one and back to the first; nothing when it is the only one.
 * @param here the address of the page, whose other parameters are kept
 */
export function pageLinks(
  here: string,
  { cursor, nextCursor }: { cursor: unknown; nextCursor: unknown },
): Html {
  if (cursor === undefined && typeof nextCursor !== 'string') return NOTHING;
  return html`<div class="pages">
    ${cursor !== undefined && buttonLink(hrefOf(here, 'cursor', undefined), say('Volver al principio', 'Back to the start'))}
    ${typeof nextCursor === 'string' && buttonLink(hrefOf(here, 'cursor', nextCursor), say('Siguientes', 'Next'))}
  </div>`;
}

/** The address of a page with another parameter, on its first page unless that is the cursor. */
function hrefOf(here: string, name: string, value: string | undefined): string {
  const url = new URL(here, 'http://list');
  for (const one of ['cursor', 'aviso', name]) url.searchParams.delete(one);
  if (value !== undefined) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}
