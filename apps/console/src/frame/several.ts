import { isUUID } from '@fiado/contracts/class-validator';
import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import { ApiRefusal, WaitsForApproval } from '../api';
import { link } from './formats';
import { type Column, type Columns, PAGE_SIZE, table } from './parts';
import { refusalText } from './refusal';
import type { Page, Visit } from './visit';
import { say } from './words';

/** The form that the boxes of a list belong to. */
const FORM = 'elegidos';

/** What can be done with several rows of a table at once. */
export interface Several<Row> {
  /** The page that asks what becomes of the chosen rows, and the button that leads there. */
  action: string;
  button: string;
  /** Of the boxes. */
  name: string;
  /** Its id, and its name for who hears the box alone; undefined for a row that cannot be chosen. */
  of: (row: Row) => { id: string; called: string } | undefined;
  hidden?: Record<string, string>;
}

/** A box for each row that can be chosen. */
export function chooseColumn<Row>({
  name,
  of,
}: Several<Row>): [heading: string, cell: (row: Row) => HtmlValue] {
  return [
    say('Elegir', 'Choose'),
    (row) => {
      const found = of(row);
      if (found === undefined) return '';
      return html`<input
        type="checkbox"
        form="${FORM}"
        name="${name}"
        value="${found.id}"
        aria-label="${say('Elegir', 'Choose')} ${found.called}"
      />`;
    },
  ];
}

/** Below such a table: leads to the page of the chosen rows. */
export function chooseForm<Row>({ action, button, hidden = {} }: Several<Row>): Html {
  return html`<form class="pages" id="${FORM}" method="get" action="${action}">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="second">${button}</button>
  </form>`;
}

/** Ids of chosen rows, of the address or of a form, where they have commas between them: those of a page at most. */
export function chosenIn({ req }: Visit, name: string): string[] {
  const sent = (Object(req.body) as Record<string, unknown>)[name];
  const ids = [req.query[name], sent]
    .flat()
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split(','))
    .filter((id) => isUUID(id));
  return [...new Set(ids)].slice(0, PAGE_SIZE);
}

/** Where none was chosen. */
export function noneChosen(path: NonNullable<Page['path']>): Page {
  return {
    path,
    title: say('Elige primero', 'Choose first'),
    content: html`<p class="empty">
      ${say('No elegiste ningún renglón. Vuelve a la lista y marca los que quieras.', 'You chose no row. Go back to the list and mark those that you mean.')}
    </p>`,
  };
}

interface Outcomes<Row> {
  ids: string[];
  call: (id: string) => Promise<unknown>;
  /** Of the rows as they are afterwards. */
  read: (id: string) => Promise<Row>;
  columns: Columns<Row>;
  href?: (row: Row) => string;
}

/**
 * Does something with each of the chosen, one after the other: what one of them is refused leaves the others.
 * @returns a table of them, with the outcome of each
 */
export async function withEach<Row extends object>(
  title: string,
  { ids, call, read, columns, href }: Outcomes<Row>,
): Promise<Pick<Page, 'title' | 'content'>> {
  const outcomes: Html[] = [];
  for (const id of ids) outcomes.push(await outcomeOf(call(id)));
  const rows: Row[] = await Promise.all(ids.map((id) => read(id)));
  const outcome: Column<Row> = [say('Resultado', 'Outcome'), (row) => outcomes[rows.indexOf(row)]];
  return { title, content: table(title, [...columns, outcome], rows, { href }) };
}

async function outcomeOf(made: Promise<unknown>): Promise<Html> {
  try {
    await made;
    return html`<span class="badge good">${say('Hecho', 'Done')}</span>`;
  } catch (error) {
    if (error instanceof WaitsForApproval) {
      return link(
        `/aprobaciones/${error.changeRequestId}`,
        say('Espera aprobación', 'Waits for approval'),
      );
    }
    if (!(error instanceof ApiRefusal)) throw error;
    return html`<span class="badge bad">${say('No se hizo', 'Not done')}</span>
      ${refusalText(error)}`;
  }
}
