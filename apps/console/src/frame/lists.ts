import { html, type HtmlValue } from '@fiado/chassis/html';
import type { PeopleFile } from '@fiado/chassis/exports/people-file';
import type { Pages } from '@fiado/client';
import type { AnswerOf, Schema } from '@fiado/ops-client/operations';
import { ApiRefusal } from '../api';
import { takes } from './body';
import {
  chipsOf,
  type Filter,
  filterOf,
  queryOfState,
  type States,
  type ValueFilter,
} from './filters';
import { link, pesosOf } from './formats';
import { type Columns, PAGE_SIZE, pageLinks, table } from './parts';
import {
  firstPage,
  type ListId,
  pagesOf,
  type Query,
  type Read,
  type RowOf,
  rowsIn,
  unlessDown,
} from './read';
import { show, type PageRoute } from './serve';
import { chooseColumn, chooseForm, type Several } from './several';
import { mayDo, queryOf, type Page, type Visit } from './visit';
import { say } from './words';

/** A list of the API as a page: a title, filters and columns. */
export interface Listing<Id extends ListId, Names = unknown> extends Read<Id> {
  title: string;
  /** Under the title. */
  lead?: HtmlValue;
  /** Beside the title. */
  actions?: HtmlValue;
  states?: States;
  filters?: Array<Filter | ValueFilter | false>;
  /** Orders that the API has, such as `createdAt` and `-createdAt`; the first is the one without a choice. */
  sorts?: readonly string[];
  /** What its rows are, one and many, and what their sum has: with it the rows of all pages are counted. */
  counted?: readonly [one: string, many: string, sum?: string];
  /** Whether the rows of as many days before are counted, too. */
  compares?: true;
  /** What is shown of the rows of a page. */
  rows?: (rows: Array<RowOf<Id>>) => Array<RowOf<Id>>;
  /** Whether these are all of them, so that nothing leads to another page. */
  isWhole?: boolean;
  /** What cells need beside their row, read once for all rows of a page. */
  names?: (rows: Array<RowOf<Id>>) => Promise<Names>;
  columns: Columns<RowOf<Id>, Names>;
  /** Where the name of a row leads. */
  href?: (row: RowOf<Id>) => string;
  /** What can be done with several rows at once. */
  several?: Several<RowOf<Id>> | false;
  /** Above the table. */
  before?: (answer: AnswerOf<Id>) => HtmlValue | Promise<HtmlValue>;
  /** What an empty list says. */
  empty?: string;
  /** Its rows as a file for a spreadsheet, with the fields that rows of the API have not. */
  file?: Omit<PeopleFile, 'name'> & { more?: (row: RowOf<Id>, names: Names) => object };
}

/** A list as a page. */
export function list<Path extends string, Id extends ListId, Names>(
  path: Path,
  listingOf: (visit: Visit) => Listing<Id, Names> | Promise<Listing<Id, Names>>,
): PageRoute<Path> {
  return show(path, async (visit) => listPage(visit, await listingOf(visit), path));
}

/** The one pattern of a list: its filters, a table, and links to the next page and back to the first one. */
export async function listPage<Id extends ListId, Names>(
  visit: Visit,
  listing: Listing<Id, Names>,
  path = visit.req.path,
): Promise<Page> {
  const { of, title, lead, actions, columns, several, before, states, sorts = [] } = listing;
  const { empty = say('No hay nada aquí.', 'Nothing here.'), href, counted, file } = listing;
  const here = visit.req.originalUrl;
  const cursor = queryOf(visit, 'cursor') || undefined;
  const reader = await readerOf(visit, listing);
  const answer = await firstOf(reader, cursor, counted !== undefined);
  const rows = listing.rows?.(rowsIn(of, answer)) ?? rowsIn(of, answer);
  const names = (await listing.names?.(rows)) as Names | undefined;
  const { nextCursor } = answer as { nextCursor?: unknown };
  const sorted = { sorts, by: reader.sort ?? sorts[0] ?? '', here };
  const above = rows.length > 0 && (await countedLine(listing, answer, reader));
  const download = rows.length > 0 && file && fileLink(visit, path);
  return {
    title,
    lead,
    actions,
    content: html`${chipsOf(visit, path, reader.filters, states)} ${await before?.(answer)}
    ${(above || download) && html`<p class="counted">${above || html`<span></span>`} ${download}</p>`}
    ${table(title, [...columns, several ? chooseColumn(several) : false], rows, { empty, href, names, ...sorted })}
    ${several && chooseForm(several)}
    ${listing.isWhole !== true && pageLinks(here, { cursor, nextCursor })}`,
  };
}

/** The filters of a list, how it is sorted, and how its pages are read with both. */
interface Reader<Id extends ListId> {
  filters: Filter[];
  sort: string | undefined;
  read: (limit: number, page?: Query) => Pages<AnswerOf<Id>, RowOf<Id>>;
}

export async function readerOf<Id extends ListId, Names>(
  visit: Visit,
  listing: Listing<Id, Names>,
): Promise<Reader<Id>> {
  const { of, states, sorts = [] } = listing;
  const declared = (listing.filters ?? []).filter((one) => one !== false);
  const filters = await Promise.all(declared.map((one) => filterOf(visit, one)));
  const typed = queryOf(visit, 'orden');
  const sort = sorts.find((one) => one === typed);
  const state = states === undefined ? {} : queryOfState(visit, states);
  const asked = Object.assign({ sort }, state, ...filters.map((one) => one.asked)) as Query;
  const read: Reader<Id>['read'] = (limit, page) =>
    pagesOf(visit, listing, { ...asked, ...(takes(of, 'limit') && { limit }), ...page });
  return { filters, sort, read };
}

/** A page, the first one with its totals, which a service of the release before has not. */
async function firstOf<Id extends ListId>(
  { read }: Reader<Id>,
  cursor: string | undefined,
  isCounted: boolean,
): Promise<AnswerOf<Id>> {
  if (!isCounted || cursor !== undefined) return firstPage(read(PAGE_SIZE, { cursor }));
  return firstPage(read(PAGE_SIZE, { totals: 'true' })).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'BAD_REQUEST') {
      return firstPage(read(PAGE_SIZE));
    }
    throw error;
  });
}

/** How many rows there are, and how many of the days before. */
async function countedLine<Id extends ListId, Names>(
  { counted, compares }: Listing<Id, Names>,
  answer: AnswerOf<Id>,
  { filters, read }: Reader<Id>,
): Promise<HtmlValue> {
  const totals = totalsIn(answer);
  if (counted === undefined || totals === null) return undefined;
  const earlier = compares && filters.find((one) => one.earlier !== undefined)?.earlier;
  const past =
    earlier && (await unlessDown(firstPage(read(1, { ...earlier.asked, totals: 'true' }))));
  const before = totalsIn(past);
  return html`<span>${countOf(totals, counted)}</span>
    ${before !== null && html`<span class="quiet">${earlier?.called ?? ''}: ${countOf(before, counted)}</span>`}`;
}

type Totals = Schema<'ListTotals'>;

/** Null where they were not asked for, and in a list that has none. */
function totalsIn(answer: unknown): Totals | null {
  const { totals = null } = Object(answer) as { totals?: Totals | null };
  return totals;
}

/** Such as 37 adeudos, $12,345.00 en total. */
function countOf(
  { count, amount, hasMore }: Totals,
  [one, many, has]: readonly [one: string, many: string, sum?: string],
): string {
  const more = hasMore ? '+' : '';
  const rows = `${count.toLocaleString('es-MX')}${more} ${count === 1 ? one : many}`;
  if (amount === null || amount === 0) return rows;
  const withSum = has === undefined ? '' : ` ${has}`;
  return say(
    `${rows}, ${pesosOf(amount)}${more} en total${withSum}`,
    `${rows}, ${pesosOf(amount)}${more} in all${withSum}`,
  );
}

function fileLink({ req, viewer }: Visit, path: string): HtmlValue {
  if (!mayDo(viewer, 'operator')) return undefined;
  const asked = new URL(req.originalUrl, 'http://list').searchParams;
  for (const name of ['cursor', 'aviso']) asked.delete(name);
  const query = asked.size === 0 ? '' : `?${String(asked)}`;
  return link(`${path}.csv${query}`, say('Descargar esta lista', 'Download this list'));
}
