import { html, NOTHING, type Html, type HtmlValue } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import {
  buttonLink,
  copyable,
  inFours,
  percentOf,
  pesosOf,
  phoneOf,
  textOf,
  when,
} from './formats';
import { firstPage, type ListId, pagesOf, type Read, type RowOf, rowsIn } from './read';
import type { Visit } from './visit';
import { isStateKind, say, stateBadge, type StateKind } from './words';

/** Rows of a page, where the API lets its callers choose. */
export const PAGE_SIZE = 25;

/**
 * What a column or a fact holds: an amount, of which `owed` is bold and `figure` stands beside the row's money; a moment,
 * of which `when` is the row's own; an `id`, a `reference` of digits or another text, which people copy; or a state, whose
 * kind is what has it. A `note` is small, below the column before it.
 * On a narrow screen a row is a card: its name and its money are the first line, its time and its state the second;
 * every other column has a line with its heading.
 */
type Kind =
  | ('name' | 'money' | 'owed' | 'figure' | 'when' | 'time' | 'percent' | 'phone' | 'note')
  | ('id' | 'reference' | 'copied' | 'state' | StateKind);

/**
 * A column's heading, its cell, and what it holds. A cell that is a field of the row, a state or a number is shown as
 * its kind; what else a function answers stays as it is. A list that the API sorts by that field is sorted there.
 * @template Names what a cell needs beside its row
 */
export type Column<Row, Names = unknown> = [
  heading: string,
  cell: Extract<keyof Row, string> | ((row: Row, names: Names) => HtmlValue | number),
  kind?: Kind | undefined,
  sortedBy?: string,
];

/** The columns of a table; false leaves one out. */
export type Columns<Row, Names = unknown> = Array<Column<Row, Names> | false>;

/** How the rows of a table are shown. */
interface Shown<Row, Names> extends Partial<Sorted> {
  /** What it says without rows. */
  empty?: string;
  /** Where the name of a row leads. */
  href?: ((row: Row) => string | undefined) | undefined;
  names?: Names | undefined;
}

/** A table. Its roles are written, because a table that is drawn as cards would lose them. */
export function table<Row, Names = unknown>(
  title: string,
  asked: Columns<Row, Names>,
  rows: readonly Row[],
  shown: Shown<Row, Names> = {},
): Html {
  if (rows.length === 0) return html`<p class="empty">${shown.empty ?? ''}</p>`;
  const all = asked.filter((column) => column !== false);
  const columns = all.filter(([, , kind]) => kind !== 'note');
  return html`<div class="table">
    <table role="table">
      <caption class="unseen">
        ${title}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map((column) => headingOf(column, { ...UNSORTED, ...shown }))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map((column) => html`<td role="cell" ${classOf(column[2])} data-label="${column[0]}">${cellOf(row, column, shown)}${noteOf(row, all[all.indexOf(column) + 1], shown)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cellOf<Row, Names>(
  row: Row,
  [, cell, kind]: Column<Row, Names>,
  { href, names }: Shown<Row, Names>,
): HtmlValue {
  const value = typeof cell === 'function' ? cell(row, names as Names) : row[cell];
  const isMade = typeof cell === 'function' && typeof value !== 'number' && kind !== 'phone';
  const isState = kind !== undefined && isStateKind(kind);
  const shown = isMade && !isState ? (value as HtmlValue) : shownAs(value, kind);
  const to = kind === 'name' ? href?.(row) : undefined;
  return to === undefined ? shown : html`<a href="${to}">${shown}</a>`;
}

function noteOf<Row, Names>(
  row: Row,
  column: Column<Row, Names> | undefined,
  shown: Shown<Row, Names>,
): HtmlValue {
  return column?.[2] === 'note' && html` <small>${cellOf(row, column, shown)}</small>`;
}

/** A value of the API as its kind. */
function shownAs(value: unknown, kind: Kind = 'name'): HtmlValue {
  return isStateKind(kind) ? stateBadge(kind, value) : (FORMATS[kind] ?? textOf)(value);
}

const FORMATS: Partial<Record<Kind, (value: unknown) => HtmlValue>> = {
  money: pesosOf,
  owed: (amount) => html`<strong>${pesosOf(amount)}</strong>`,
  figure: pesosOf,
  when,
  time: when,
  percent: percentOf,
  phone: (phone) => html`<span class="whole">${phoneOf(textOf(phone))}</span>`,
  id: (id) => id !== null && copyable(textOf(id)),
  reference: (digits) => html`<span data-copy="${textOf(digits)}">${inFours(digits)}</span>`,
  copied: (text) => html`<span data-copy="${textOf(text)}">${textOf(text)}</span>`,
};

/** How a list is sorted, and the address of the page. */
interface Sorted {
  sorts: readonly string[];
  /** A field, with `-` the latest or largest first. */
  by: string;
  here: string;
}

const UNSORTED: Sorted = { sorts: [], by: '', here: '' };

/** A heading; that of a column that the list can be sorted by leads there, and once more to the other direction. */
function headingOf<Row, Names>(
  [heading, cell, kind, sortedBy]: Column<Row, Names>,
  sorted: Sorted,
): Html {
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
  const isState = kind !== undefined && isStateKind(kind);
  const name = isState ? 'state' : kind === 'owed' ? 'money' : kind;
  return name !== undefined && MARKED.has(name) && html` class="${name}"`;
}

/** They have a place of their own on a card. */
const MARKED: ReadonlySet<Kind> = new Set(['name', 'money', 'figure', 'when', 'state']);

interface TablePart<Row, Names> extends Pick<Shown<Row, Names>, 'empty' | 'href' | 'names'> {
  title: string;
  columns: Columns<Row, Names>;
  /** Above the table. */
  note?: string | false;
  /** A link beside the title. */
  more?: HtmlValue;
}

/** A list of the API that is one part of a page: a service that does not answer leaves the others. */
export async function part<Id extends ListId>(
  visit: Visit,
  list: Read<Id> &
    TablePart<RowOf<Id>, unknown> & {
      below?: (rows: Array<RowOf<Id>>) => HtmlValue | Promise<HtmlValue>;
    },
): Promise<Html> {
  const { of, title, columns, more, below } = list;
  const content = firstPage(pagesOf(visit, list)).then(async (answer) => {
    const rows = rowsIn(of, answer);
    return html`${table(title, columns, rows, list)} ${await below?.(rows)}`;
  });
  return partOf(title, await unlessRefused(content), more);
}

/** A part of a page: a title, and a table or a sentence. */
export function partOf(title: string, content: Html, more?: HtmlValue): Html {
  return section('part', { title, content, more });
}

/** A part of a page that is a table. Without rows it is left out, unless it has a sentence for that. */
export function tablePart<Row, Names = unknown>({
  title,
  columns,
  rows,
  note,
  more,
  ...shown
}: TablePart<Row, Names> & { rows: readonly Row[] }): Html {
  if (rows.length === 0 && shown.empty === undefined) return NOTHING;
  const above = note && html`<p class="quiet">${note}</p>`;
  return partOf(title, html`${above}${table(title, columns, rows, shown)}`, more);
}

/** A card with a title. */
export function card(title: string, content: HtmlValue, more?: HtmlValue): Html {
  return section('card', { title, content, more });
}

/** @param more beside the title */
function section(
  kind: 'part' | 'card',
  { title, content, more }: { title: string; content: HtmlValue; more: HtmlValue },
): Html {
  return html`<section class="${kind}">
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

/** A name and a value of a record, which is shown as its kind where it has one; null is left out. */
export type Fact = [name: string, value: HtmlValue | number | null, kind?: Kind];

/** Facts of a record, as a list of descriptions. */
export function factList(facts: Array<Fact | false>): Html {
  return html`<dl>
    ${facts.map((fact) => {
      if (fact === false || fact[1] === null) return undefined;
      const [name, value, kind] = fact;
      const isMade = kind === undefined && typeof value !== 'number';
      return html`<dt>${name}</dt>
        <dd>${isMade ? value : shownAs(value, kind)}</dd>`;
    })}
  </dl>`;
}

/** A card of facts. @param below the facts */
export function factCard(title: string, facts: Array<Fact | false>, below?: HtmlValue): Html {
  return card(title, html`${factList(facts)} ${below}`);
}

/** A card of amounts that add up; those with `all` are a total. @param below the amounts */
export function sumCard(
  title: string,
  amounts: Array<[name: string, amount: string | number | Html, all?: 'all'] | false>,
  below?: HtmlValue,
): Html {
  const rows = amounts
    .filter((row) => row !== false)
    .map(
      ([name, amount, all = '']) =>
        html`<dt class="${all}">${name}</dt>
          <dd class="${all}">${typeof amount === 'number' ? pesosOf(amount) : amount}</dd>`,
    );
  return card(title, [html`<dl class="sums">${rows}</dl>`, below]);
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
