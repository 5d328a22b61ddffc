import { html, type Html } from '@fiado/chassis/html';
import type { Say } from '../words';

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
