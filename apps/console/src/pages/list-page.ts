import type { Pages } from '@fiado/client';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { Visit } from '../http/visit';
import type { Page } from './page';

/** Each column's heading, and its text of a row. */
export type Columns<Row> = Array<[heading: string, cell: (row: Row) => string | Html]>;

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
export function table<Row>(name: string, columns: Columns<Row>, rows: Row[], empty: string): Html {
  if (rows.length === 0) return html`<p>${empty}</p>`;
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

function nextLink(here: string, cursor: string, label: string): Html {
  const url = new URL(here, 'http://list');
  url.searchParams.set('cursor', cursor);
  return html`<p><a class="next" href="${url.pathname}${url.search}">${label}</a></p>`;
}
