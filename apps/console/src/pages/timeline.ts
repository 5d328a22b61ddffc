import type { ItemOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { MAX_TIMELINE_PAGE } from '@fiado/contracts/timeline';
import { ApiRefusal } from '../api';
import { queryOf, type Visit } from '../http/visit';
import { timeOf } from './formats';
import { firstPage, table } from './list-page';
import { missingNotice, serviceName } from './missing-notice';
import { eventDetails, eventName, isLook } from './timeline-words';

/** Something that happened to a store. */
export type TimelineEntry = ItemOf<'getTimeline', 'entries'>;

/** Entries in a row; more than one where people of the lender only looked at the store. */
type Row = TimelineEntry & { times: number };

/** What happened to a store in all services, newest first, with a link to the next page. */
export async function timelinePart(visit: Visit, cornerStoreId: string): Promise<Html> {
  const { viewer, say } = visit;
  const title = say('Qué ha pasado', 'What happened');
  const cursor = queryOf(visit, 'historial');
  const query = { limit: MAX_TIMELINE_PAGE, ...(cursor !== '' && { cursor }) };
  const timeline = viewer.ops.cornerStores.timeline(cornerStoreId, query);
  const found = await firstPage(timeline).catch((error: unknown) => {
    if (error instanceof ApiRefusal) return undefined;
    throw error;
  });
  const heading = html`<h2 id="historial">${title}</h2>`;
  if (found === undefined) {
    return html`${heading}
      <p>
        ${say('No hay respuesta. Intenta en un momento.', 'No answer. Try again in a moment.')}
      </p>`;
  }
  return html`${heading} ${missingNotice(found.missing, say)}
  ${table<Row>(
    title,
    [
      [say('Cuándo', 'When'), ({ occurredAt }) => timeOf(occurredAt)],
      [
        say('Qué', 'What'),
        ({ type, times }) => `${eventName(type, say)}${times === 1 ? '' : ` (${times})`}`,
      ],
      [say('Servicio', 'Service'), ({ service }) => serviceName(service, say)],
      [say('Detalles', 'Details'), (entry) => eventDetails(entry, say)],
    ],
    rowsOf(found.entries),
    say('Todavía no ha pasado nada.', 'Nothing has happened yet.'),
  )}
  ${found.nextCursor === null ? NOTHING : earlier(visit, cornerStoreId, found.nextCursor)}`;
}

/** Each look of a person is audited, so looks would hide what happened: those in a row are one. */
function rowsOf(entries: TimelineEntry[]): Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (last !== undefined && isLook(last.type) && isLook(entry.type)) last.times += 1;
    else rows.push({ ...entry, times: 1 });
  }
  return rows;
}

function earlier({ say }: Visit, cornerStoreId: string, cursor: string): Html {
  const query = new URLSearchParams({ historial: cursor });
  return html`<p>
    <a href="/tiendas/${cornerStoreId}?${String(query)}#historial"
      >${say('Lo anterior', 'Earlier')}</a
    >
  </p>`;
}
