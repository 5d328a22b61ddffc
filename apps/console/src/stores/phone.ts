import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { REVEAL_REASONS } from '@fiado/contracts/privacy';
import { bodyIn } from '../frame/body';
import { buttonForm, choice, foldedForm } from '../frame/form';
import { link, timeOf } from '../frame/formats';
import { idOf, mayDo, type Page, type Visit } from '../frame/visit';
import { revealReasonName, say } from '../frame/words';
import type { Store, StoreOverview } from './stores';

/** On a store: which wholesalers changed its phone and wait for that, and the button that ends it. */
export function phoneHold(
  { cornerStoreId, customers, wholesalers }: StoreOverview,
  { viewer }: Visit,
): Html {
  const held = customers.filter(({ phoneHeldUntil }) => phoneHeldUntil !== null);
  if (held.length === 0) return NOTHING;
  const lines = held.map(({ wholesalerId, phoneHeldUntil }) => {
    const known = wholesalers.find((one) => one.wholesalerId === wholesalerId);
    const name = known?.name ?? say('Un mayorista', 'A wholesaler');
    const until = timeOf(phoneHeldUntil);
    return html`<p>
      ${say(`${name} cambió el teléfono: sus pedidos grandes esperan hasta ${until}`, `${name} changed the phone: its large orders wait until ${until}`)}
    </p>`;
  });
  return html`<div class="notice">
    ${lines}
    ${
      mayDo(viewer, 'operator') &&
      html`<p>
          ${say('Antes de liberarlo, habla con el dueño a un número que ya tenías.', 'Before you free it, call the owner on a number that you had before.')}
        </p>
        ${buttonForm(viewer, `/tiendas/${cornerStoreId}/liberar-telefono`, say('El dueño lo confirmó: liberar', 'The owner confirmed it: free it'))}`
    }
  </div>`;
}

/** For who sees a masked number. The API has the same reasons. */
export function revealForm({ cornerStoreId, phoneNumber }: Store, visit: Visit): Html {
  const { viewer } = visit;
  if (mayDo(viewer, 'operator') || phoneNumber === '') return NOTHING;
  return foldedForm(visit, {
    summary: say('Ver el teléfono', 'See the phone'),
    hint: say('Queda en la auditoría, con el motivo.', 'It is audited, with the reason.'),
    action: `/tiendas/${cornerStoreId}/telefono`,
    fields: [choice(say('Para qué', 'What for'), REVEAL_REASONS, revealReasonName)],
  });
}

/** The number is in this answer only: no address leads to it. */
export async function revealPhone(visit: Visit): Promise<Page> {
  const cornerStoreId = idOf(visit, 'cornerStoreId');
  const body = bodyIn(visit, 'revealPhone');
  const { phoneNumber } = await visit.viewer.ops.cornerStores.revealPhone(cornerStoreId, body);
  return {
    path: [`/tiendas/${cornerStoreId}`, say('La tienda', 'The store')],
    title: say('Teléfono de la tienda', 'Phone of the store'),
    content: html`<p>${link(`tel:${phoneNumber}`, phoneNumber)}</p>`,
  };
}
