import type { AnswerOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { idOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { buttonForm } from './form';
import { timeOf } from './formats';
import type { Redirect } from './page';

/** On a store: which wholesalers changed its phone and wait for that, and the button that ends it. */
export function phoneHold(
  { viewer, say }: Visit,
  { cornerStore: { cornerStoreId, customers }, wholesalers }: AnswerOf<'getCornerStoreOverview'>,
): Html {
  const held = customers.filter(({ phoneHeldUntil }) => phoneHeldUntil !== null);
  if (held.length === 0) return NOTHING;
  const lines = held.map(({ wholesalerId, phoneHeldUntil }) => {
    const name = wholesalers.find((one) => one.wholesalerId === wholesalerId)?.name ?? wholesalerId;
    const until = timeOf(phoneHeldUntil);
    return html`<p>
      ${say(`${name} cambió el teléfono: sus pedidos grandes esperan hasta ${until}.`, `${name} changed the phone: its large orders wait until ${until}.`)}
    </p>`;
  });
  return html`<div class="notice">
    ${lines}
    ${
      mayDo(viewer, 'operator')
        ? html`<p>
              ${say('Antes de liberarlo, habla con el dueño a un número que ya tenías.', 'Before you free it, call the owner on a number that you had before.')}
            </p>
            ${buttonForm(viewer, { action: `/tiendas/${cornerStoreId}/liberar-telefono`, label: say('El dueño lo confirmó: liberar', 'The owner confirmed it: free it') })}`
        : NOTHING
    }
  </div>`;
}

/** Ends the hold for all wholesalers of the store. */
export async function clearPhoneHold(visit: Visit): Promise<Redirect> {
  const cornerStoreId = idOf(visit, 'cornerStoreId');
  await visit.viewer.ops.cornerStores.clearPhoneHold(cornerStoreId);
  return { redirect: `/tiendas/${cornerStoreId}` };
}
