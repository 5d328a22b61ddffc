import { html, type Html } from '@fiado/shared/html';
import { ApiRefusal } from '../api';
import type { Visit } from '../http/visit';
import { messageColumns } from './columns';
import { documentGrid, type OnboardingDocument } from './document-grid';
import { timeOf } from './formats';
import { part } from './part';
import type { Store } from './store-fields';

type Row = Record<string, unknown>;

/** The newest codes of a store's account. Messages about orders are in its timeline. */
export function messagesPart(visit: Visit, { userId }: Store): Promise<Html> {
  const { say } = visit;
  return part<Row>(visit, {
    title: say('Mensajes de la cuenta', 'Messages of the account'),
    path: `/messages?userId=${userId}`,
    rowsOf: (answer) => answer['messages'] as Row[],
    empty: say('No hay mensajes de los últimos 90 días.', 'No messages of the last 90 days.'),
    columns: [
      ...messageColumns(say),
      [say('Creado', 'Created'), (message) => timeOf(message['createdAt'])],
    ],
  });
}

/** The images of a store's onboarding, side by side. */
export async function documentsPart(visit: Visit, { cornerStoreId }: Store): Promise<Html> {
  const { viewer, say } = visit;
  const path = `/corner-stores/${cornerStoreId}/documents`;
  const title = say('Documentos', 'Documents');
  try {
    const { documents } = await viewer.api.call<{ documents: OnboardingDocument[] }>('GET', path);
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
