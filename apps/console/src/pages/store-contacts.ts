import { html, type Html } from '@fiado/chassis/html';
import { ApiRefusal } from '../api';
import type { Visit } from '../http/visit';
import { messageColumns } from './columns';
import { documentGrid } from './document-grid';
import { timeOf } from './formats';
import { part } from './part';
import type { Store } from './store-fields';

/** The newest codes of a store's account. Messages about orders are in its timeline. */
export function messagesPart(visit: Visit, { userId }: Store): Promise<Html> {
  const { say, viewer } = visit;
  return part(visit, {
    title: say('Mensajes de la cuenta', 'Messages of the account'),
    list: () => viewer.ops.messages.list({ userId }),
    rowsOf: ({ messages }) => messages,
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [
      ...messageColumns(say),
      [say('Creado', 'Created'), ({ createdAt }) => timeOf(createdAt)],
    ],
  });
}

/** The images of a store's onboarding, side by side. */
export async function documentsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { viewer, say } = visit;
  const title = say('Documentos', 'Documents');
  try {
    const { documents } = await viewer.ops.cornerStores.listDocuments(cornerStoreId);
    return html`<h2>${title}</h2>
      ${documentGrid(visit, cornerStoreId, documents)}`;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return html`<h2>${title}</h2>
      <p>
        ${say('No hay respuesta. Intenta en un momento.', 'No answer. Try again in a moment.')}
      </p>`;
  }
}
