import { html, NOTHING, type Html } from '@fiado/shared/html';
import type { Visit } from '../http/visit';
import type { Page } from './page';

/** A list of the API, and how its rows are shown. */
export interface Listing<Row> {
  title: string;
  /** Path below /v1/admin, with its query. */
  path: string;
  /** The list is a POST, whose body has the cursor. */
  isSearch?: true;
  rowsOf: (answer: Record<string, unknown>) => Row[];
  columns: Array<[heading: string, cell: (row: Row) => string | Html]>;
  /** Above the table. */
  before?: Html;
  /** What an empty list says. */
  empty?: string;
}

/** The one pattern of a list: a table, and a link to the next page. */
export async function listPage<Row>(
  { req, say, viewer }: Visit,
  { title, path, isSearch, rowsOf, columns, before = NOTHING, empty }: Listing<Row>,
): Promise<Page> {
  const url = new URL(path, 'http://list');
  const { cursor } = req.query;
  const from = typeof cursor === 'string' ? { cursor } : {};
  if (isSearch !== true && from.cursor !== undefined) url.searchParams.set('cursor', from.cursor);
  const here = `${url.pathname}${url.search}`;
  const answer = await (isSearch === true
    ? viewer.api.call<Record<string, unknown>>('POST', here, from)
    : viewer.api.call<Record<string, unknown>>('GET', here));
  const rows = rowsOf(answer);
  const next = answer['nextCursor'];
  return {
    title,
    content: html`${before}
    ${table(title, columns, rows, empty ?? say('No hay nada aquí.', 'Nothing here.'))}
    ${typeof next === 'string' ? nextLink(req.originalUrl, next, say('Siguientes', 'Next')) : NOTHING}`,
  };
}

/** A table that scrolls by itself on a narrow screen, also by keyboard. */
export function table<Row>(
  name: string,
  columns: Listing<Row>['columns'],
  rows: Row[],
  empty: string,
): Html {
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
