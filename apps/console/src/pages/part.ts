import { html, type Html } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import type { Visit } from '../http/visit';
import { firstPage, table, type Listing } from './list-page';

/** A list of the API that is one part of a page: a service that does not answer leaves the others. */
export async function part<Answer, Row>(
  { say }: Visit,
  { title, list, rowsOf, columns, empty }: Omit<Listing<Answer, Row>, 'before'> & { empty: string },
): Promise<Html> {
  const content = await firstPage(list(undefined))
    .then((answer) => table(title, columns, rowsOf(answer), empty))
    .catch((error: unknown) => {
      if (!(error instanceof ApiRefusal)) throw error;
      return html`<p>
        ${say('No hay respuesta. Intenta en un momento.', 'No answer. Try again in a moment.')}
      </p>`;
    });
  return html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`;
}
