import { html, type Html } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/caller';
import { numbered } from '../frame/formats';
import { mayDo, type Visit } from '../frame/visit';
import { say } from '../frame/words';

/** What waits for somebody, in the order of what it costs to let it wait. */
export interface Waiting {
  /** Null while the service that knows it does not answer. */
  count: number | null;
  /** There are more than were counted. */
  hasMore?: boolean;
  one: string;
  many: string;
  detail?: string | undefined;
  verb: string;
  link: string;
  /** Who may open that page. */
  role?: OpsScope;
  isBad?: boolean;
}

/** All that waits, and the names of what has no entries. */
export function waitingPart(visit: Visit, all: Waiting[]): Html {
  const open = all.filter(({ count }) => count !== null && count > 0);
  const none = all
    .filter(({ count }) => count === 0)
    .map(({ many }) => `${many.charAt(0).toLowerCase()}${many.slice(1)}`);
  if (open.length === 0) {
    return html`<section class="card">
      <p><strong>${say('Nada te espera.', 'Nothing waits for you.')}</strong></p>
    </section>`;
  }
  const sum = open.reduce((before, { count }) => before + (count ?? 0), 0);
  return html`<section class="card">
    <header>
      <h2>${say('Te espera', 'Waits for you')}</h2>
      <span class="quiet"
        >${numbered(sum, say('pendiente', 'in all'), say('pendientes', 'in all'))}</span
      >
    </header>
    <ul class="waits">
      ${open.map((one, at) => waitingRow(visit, one, at === 0))}
    </ul>
    ${none.length > 0 && html`<p class="rest">${say('Sin pendientes', 'Nothing waits')}: ${none.join(', ')}.</p>`}
  </section>`;
}

function waitingRow({ viewer }: Visit, waiting: Waiting, isFirst: boolean): Html {
  const { count, one, many, detail, verb, link, role = 'viewer' } = waiting;
  const { isBad = false, hasMore = false } = waiting;
  const name = count === 1 && !hasMore ? one : many;
  return html`<li>
    <b class="${isBad ? 'bad' : ''}">${String(count)}${hasMore ? '+' : ''}</b>
    <div>
      <strong>${name}</strong>
      ${detail !== undefined && html`<p class="quiet">${detail}</p>`}
    </div>
    ${
      mayDo(viewer, role) &&
      html`<a class="button ${isFirst ? '' : 'second'}" href="${link}" aria-label="${verb}: ${name}"
        >${verb}</a
      >`
    }
  </li>`;
}
