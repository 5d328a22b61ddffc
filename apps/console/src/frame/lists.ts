import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { Pages } from '@fiado/client';
import { ApiRefusal } from '../api';
import { queryOf, type Page, type Visit } from './visit';
import type { Say } from './words';

/** A column's heading, and its text of a row. */
export type Column<Row> = [heading: string, cell: (row: Row) => string | Html];

/** The columns of a table; false leaves one out. */
export type Columns<Row> = Array<Column<Row> | false>;

/** A list of the API, and how its rows are shown. */
export interface Listing<Answer, Row> {
  title: string;
  /** @param cursor where the page begins; undefined for the first one */
  list: (cursor: string | undefined) => Pages<Answer, Row> | Promise<Answer>;
  rowsOf: (answer: Answer) => Row[];
  columns: Columns<Row>;
  /** Above the table. */
  before?: Html;
  /** What an empty list says. */
  empty?: string;
}

/** The one pattern of a list: a table, and a link to the next page. */
export async function listPage<Answer extends object, Row>(
  { req, say }: Visit,
  { title, list, rowsOf, columns, before = NOTHING, empty }: Listing<Answer, Row>,
): Promise<Page> {
  const { cursor } = req.query;
  const answer = await firstPage(list(typeof cursor === 'string' ? cursor : undefined));
  const rows = rowsOf(answer);
  const next = 'nextCursor' in answer ? answer.nextCursor : null;
  return {
    title,
    content: html`${before}
    ${table(title, columns, rows, empty ?? say('No hay nada aquí.', 'Nothing here.'))}
    ${typeof next === 'string' ? nextLink(req.originalUrl, next, say('Siguientes', 'Next')) : NOTHING}`,
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

/** A table that scrolls by itself on a narrow screen, also by keyboard. */
export function table<Row>(name: string, asked: Columns<Row>, rows: Row[], empty: string): Html {
  if (rows.length === 0) return html`<p>${empty}</p>`;
  const columns = asked.filter((column) => column !== false);
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map(([heading]) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map(([, cell]) => html`<td>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A list of the API that is one part of a page: a service that does not answer leaves the others. */
export async function part<Answer, Row>(
  { say }: Visit,
  { title, list, rowsOf, columns, empty }: Omit<Listing<Answer, Row>, 'before'> & { empty: string },
): Promise<Html> {
  const content = firstPage(list(undefined)).then((answer) =>
    table(title, columns, rowsOf(answer), empty),
  );
  return html`<section>
    <h2>${title}</h2>
    ${await unlessRefused(content, say)}
  </section>`;
}

/** A part of a page, or a sentence in its place when the API refuses it. */
export async function unlessRefused(content: Promise<Html>, say: Say): Promise<Html> {
  return content.catch((error: unknown) => {
    if (!(error instanceof ApiRefusal)) throw error;
    return html`<p>
      ${say('No hay respuesta. Intenta en un momento.', 'No answer. Try again in a moment.')}
    </p>`;
  });
}

/** A name and a value of a record. */
export type Fact = [name: string, value: string | Html];

/** Facts of a record, as a list of descriptions. */
export function factList(facts: Fact[]): Html {
  return html`<dl>
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/**
 * The state that a list is asked to show, and links to the others.
 * @param statuses the first is shown when nothing is asked for
 */
export function statusFilter<Status extends string>(
  visit: Visit,
  path: string,
  statuses: readonly [Status, ...Status[]],
  nameOf: (status: Status, say: Say) => string,
): { status: Status; links: Html } {
  const { say } = visit;
  const asked = queryOf(visit, 'status');
  const status = statuses.find((one) => one === asked) ?? statuses[0];
  const here = (one: Status): string => (one === statuses[0] ? path : `${path}?status=${one}`);
  const choices = statuses.map((one) => [here(one), nameOf(one, say)] as const);
  return { status, links: filterLinks(say, choices, here(status)) };
}

/** Links that choose what a list shows; the current one is not a link. */
export function filterLinks(
  say: Say,
  choices: ReadonlyArray<readonly [href: string, name: string]>,
  current: string,
): Html {
  return html`<nav class="filter" aria-label="${say('Filtro', 'Filter')}">
    <ul>
      ${choices.map(
        ([href, name]) =>
          html`<li>
            <a href="${href}" ${href === current ? html`aria-current="true"` : html``}>${name}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

function nextLink(here: string, cursor: string, label: string): Html {
  const url = new URL(here, 'http://list');
  url.searchParams.set('cursor', cursor);
  return html`<p><a class="next" href="${url.pathname}${url.search}">${label}</a></p>`;
}
