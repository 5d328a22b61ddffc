import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { Pages } from '@fiado/client';
import { ApiRefusal } from '../api';
import type { Page, Visit } from './visit';
import type { Say } from './words';

/** Rows of a page, where the API lets its callers choose. */
export const PAGE_SIZE = 25;

/**
 * What a column holds; a figure is a number beside the row's money. On a narrow screen a row is a card: its name and its money are the first line, its
 * time and its state the second; every other column has a line with its heading.
 */
type Kind = 'name' | 'money' | 'figure' | 'when' | 'state';

/** A column's heading, its text of a row, and what it holds. */
export type Column<Row> = [heading: string, cell: (row: Row) => string | Html, kind?: Kind];

/** The columns of a table; false leaves one out. */
export type Columns<Row> = Array<Column<Row> | false>;

/** A list of the API, and how its rows are shown. */
export interface Listing<Answer, Row> {
  title: string;
  /** @param page its size, and where it begins: without a cursor it is the first one */
  list: (page: {
    limit: number;
    cursor: string | undefined;
  }) => Pages<Answer, Row> | Promise<Answer>;
  rowsOf: (answer: Answer) => Row[];
  columns: Columns<Row> | ((answer: Answer) => Columns<Row> | Promise<Columns<Row>>);
  /** Under the title. */
  lead?: string | Html;
  /** Beside the title. */
  actions?: Html;
  /** Above the table. */
  before?: Html | ((answer: Answer) => Html);
  /** What an empty list says. */
  empty?: string;
}

/** The one pattern of a list: a table, and links to the next page and back to the first one. */
export async function listPage<Answer extends object, Row>(
  { req, say }: Visit,
  { title, lead, actions, list, rowsOf, columns, before = NOTHING, empty }: Listing<Answer, Row>,
): Promise<Page> {
  const { cursor } = req.query;
  const at = typeof cursor === 'string' ? cursor : undefined;
  const answer = await firstPage(list({ limit: PAGE_SIZE, cursor: at }));
  const rows = rowsOf(answer);
  const asked = typeof columns === 'function' ? await columns(answer) : columns;
  const nextCursor = 'nextCursor' in answer ? answer.nextCursor : null;
  const foot = pageLinks(req.originalUrl, { cursor, nextCursor }, say);
  return {
    title,
    ...(lead === undefined ? {} : { lead }),
    ...(actions === undefined ? {} : { actions }),
    content: html`${typeof before === 'function' ? before(answer) : before}
    ${table(title, asked, rows, empty ?? say('No hay nada aquí.', 'Nothing here.'))} ${foot}`,
  };
}

/** The page that a list begins with; the others are not read. */
export async function firstPage<Answer>(
  list: Pages<Answer, unknown> | Promise<Answer>,
): Promise<Answer> {
  if (!('pages' in list)) return list;
  for await (const page of list.pages()) return page;
  throw new Error('A list has at least one page');
}

/** A table. Its roles are written, because a table that is drawn as cards would lose them. */
export function table<Row>(
  name: string,
  asked: Columns<Row>,
  rows: readonly Row[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const columns = asked.filter((column) => column !== false);
  return html`<div class="table">
    <table role="table">
      <caption class="unseen">
        ${name}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(([heading, , kind]) => html`<th role="columnheader" scope="col" ${classOf(kind)}>${heading}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map(([heading, cell, kind]) => html`<td role="cell" ${classOf(kind)} data-label="${heading}">${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function classOf(kind: Kind | undefined): Html {
  return kind === undefined ? NOTHING : html` class="${kind}"`;
}

/** A list of the API that is one part of a page: a service that does not answer leaves the others. */
export async function part<Answer, Row>(
  { say }: Visit,
  {
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
    more?: Html;
  },
): Promise<Html> {
  const content = firstPage(list({ limit: PAGE_SIZE, cursor: undefined })).then((answer) =>
    table(title, columns, rowsOf(answer), empty),
  );
  return partOf(title, await unlessRefused(content, say), more);
}

/** A part of a page: a title, and a table or a sentence. */
export function partOf(title: string, content: Html, more: Html = NOTHING): Html {
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
  empty: string;
  /** Above the table. */
  note?: string;
  /** A link beside the title. */
  more?: Html;
}

/** A part of a page that is a table. */
export function tablePart<Row>(of: TablePart<Row>): Html {
  const { title, columns, rows, empty, note, more } = of;
  const above = note === undefined ? NOTHING : html`<p class="quiet">${note}</p>`;
  return partOf(title, html`${above}${table(title, columns, rows, empty)}`, more);
}

/** A card with a title. */
export function card(title: string, content: Html, more: Html = NOTHING): Html {
  return html`<section class="card">
    <header>
      <h2>${title}</h2>
      ${more}
    </header>
    ${content}
  </section>`;
}

/** A part of a page, or a sentence in its place when the API refuses it. */
export async function unlessRefused(content: Promise<Html>, say: Say): Promise<Html> {
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
export type Fact = [name: string, value: string | Html];

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

/** A figure with what it counts and a note. */
export type Figure = [name: string, value: string, note: string];

/** A card of figures, and what stands below them. */
export function figuresCard(label: string, figures: Figure[], below: Html = NOTHING): Html {
  return html`<section class="card" aria-label="${label}">
    <dl class="figures">
      ${figures.map(
        ([name, value, note]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><strong>${value}</strong><span class="quiet small">${note}</span></dd>
          </div>`,
      )}
    </dl>
    ${below}
  </section>`;
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
  say: Say,
): Html {
  if (cursor === undefined && typeof nextCursor !== 'string') return NOTHING;
  return html`<div class="pages">
    ${cursor === undefined ? NOTHING : pageLink(here, undefined, say('Volver al principio', 'Back to the start'))}
    ${typeof nextCursor === 'string' ? pageLink(here, nextCursor, say('Siguientes', 'Next')) : NOTHING}
  </div>`;
}

function pageLink(here: string, cursor: string | undefined, label: string): Html {
  const url = new URL(here, 'http://list');
  if (cursor === undefined) url.searchParams.delete('cursor');
  else url.searchParams.set('cursor', cursor);
  return html`<a class="button second" href="${url.pathname}${url.search}">${label}</a>`;
}
