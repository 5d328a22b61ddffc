import { html, NOTHING, type Html } from '@fiado/shared/html';
import { ApiRefusal } from '../api';
import { queryOf, type Visit } from '../http/visit';
import type { Say } from '../words';
import { textOf, timeOf } from './formats';
import { table } from './list-page';

interface Timeline {
  entries: Array<{
    occurredAt: string;
    service: string;
    type: string;
    subjectId: string | null;
    details: Record<string, unknown>;
  }>;
  nextCursor: string | null;
  missing: string[];
}

/** Entries of a page. */
const PAGE_SIZE = 25;

/** What happened to a store in all services, newest first, with a link to the next page. */
export async function timelinePart(visit: Visit, cornerStoreId: string): Promise<Html> {
  const { viewer, say } = visit;
  const title = say('Qué ha pasado', 'What happened');
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  const cursor = queryOf(visit, 'historial');
  if (cursor !== '') query.set('cursor', cursor);
  const path = `/corner-stores/${cornerStoreId}/timeline?${String(query)}`;
  const found = await viewer.api.call<Timeline>('GET', path).catch((error: unknown) => {
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
  ${table<Timeline['entries'][number]>(
    title,
    [
      [say('Cuándo', 'When'), ({ occurredAt }) => timeOf(occurredAt)],
      [say('Qué', 'What'), ({ type }) => eventName(type, say)],
      [say('Servicio', 'Service'), ({ service }) => service],
      [say('Detalles', 'Details'), (entry) => details(entry)],
    ],
    found.entries,
    say('Todavía no ha pasado nada.', 'Nothing has happened yet.'),
  )}
  ${
    found.nextCursor === null
      ? NOTHING
      : html`<p>
          <a
            href="/tiendas/${cornerStoreId}?historial=${encodeURIComponent(found.nextCursor)}#historial"
            >${say('Lo anterior', 'Earlier')}</a
          >
        </p>`
  }`;
}

/** Says which services did not answer, so that nobody takes their silence for nothing. */
export function missingNotice(missing: string[], say: Say): Html {
  if (missing.length === 0) return NOTHING;
  const names = missing.join(', ');
  return html`<p class="problem" role="status">
    ${say(`Falta lo de: ${names}. No respondieron; intenta en un momento.`, `Without: ${names}. They did not answer; try again in a moment.`)}
  </p>`;
}

function details({ type, subjectId, details: facts }: Timeline['entries'][number]): Html {
  const items = Object.entries(facts).map(
    ([name, value]) =>
      html`<li>${name}: ${name.endsWith('At') ? timeOf(value) : textOf(value)}</li>`,
  );
  const isOrder = subjectId !== null && /^(order|credit|debt|payment|default)\./.test(type);
  return html`<ul class="plain">
    ${isOrder ? html`<li><a href="/pedidos/${subjectId}">${subjectId}</a></li>` : NOTHING}${items}
  </ul>`;
}

/** An event in words; one of a later release keeps its own name. */
function eventName(type: string, say: Say): string {
  const names: Record<string, string> = {
    'order.created': say('pidió a crédito', 'ordered on credit'),
    'order.confirmed': say('confirmó el pedido', 'confirmed the order'),
    'order.delivered': say('recibió el pedido', 'received the order'),
    'order.cancelled': say('pedido cancelado', 'order cancelled'),
    'order.expired': say('pedido vencido', 'order expired'),
    'credit.adjusted': say('línea ajustada', 'credit adjusted'),
    'credit.repaid': say('línea liberada', 'credit repaid'),
    'credit.reversed': say('línea ocupada otra vez', 'credit used again'),
    'debt.opened': say('nuevo adeudo', 'new debt'),
    'payment.applied': say('pago aplicado', 'payment applied'),
    'payment.reversed': say('pago revertido', 'payment reversed'),
    'default.opened': say('cayó en mora', 'fell into default'),
    'default.paid': say('salió de la mora', 'left the default'),
    'message.requested': say('mensaje', 'message'),
    'customer.imported': say('alta con un mayorista', 'became a customer'),
    'verification.started': say('verificación iniciada', 'verification started'),
    'verification.approved': say('verificación aprobada', 'verification approved'),
    'document.received': say('documento recibido', 'document received'),
    'phone.changed': say('cambió de teléfono', 'changed its phone'),
    'corner-store.approved': say('tienda aprobada', 'store approved'),
    'corner-store.rejected': say('tienda rechazada', 'store rejected'),
    'corner-store.changed': say('condiciones cambiadas', 'terms changed'),
    'document.viewed': say('alguien vio un documento', 'somebody saw a document'),
  };
  return names[type] ?? type;
}
