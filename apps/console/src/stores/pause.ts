import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { PAUSE_REASONS } from '@fiado/contracts/corner-store';
import { choice, foldedForm } from '../frame/form';
import { agoOf } from '../frame/formats';
import { mayDo, type Visit } from '../frame/visit';
import { say, naming } from '../frame/words';
import type { Store } from './stores';

/** On a paused store: who paused it, why, and the form that lifts the pause. */
export function pauseNotice({ cornerStoreId, paused }: Store, visit: Visit): Html {
  if (paused == null) return NOTHING;
  const { viewer } = visit;
  const isOwn = paused.by === viewer.staffId;
  const who = isOwn ? say('ti', 'you') : (paused.byName ?? say('otra persona', 'somebody'));
  const ago = agoOf(paused.at, say('es-MX', 'en'));
  const why = pauseReasonName(paused.reason);
  return html`<div class="notice">
    <p>
      <strong
        >${say(`En pausa por ${who} ${ago}: ${why}.`, `Paused by ${who} ${ago}: ${why}.`)}</strong
      >
      ${say('No puede pedir ni confirmar, no recibe claves y su cuenta no abre. Lo que debe sigue igual.', 'It cannot order or confirm, gets no codes, and its account does not open. What it owes stays.')}
    </p>
    ${
      mayDo(viewer, 'approver')
        ? foldedForm(visit, {
            summary: say('Levantar la pausa', 'Lift the pause'),
            ...(isOwn && {
              hint: say(
                'Tú la pausaste: tu solicitud espera a otra persona.',
                'You paused it: your request waits for another person.',
              ),
            }),
            action: `/tiendas/${cornerStoreId}/reanudar`,
          })
        : html`<p>
            ${say('La levanta alguien con el rol Aprobación.', 'Somebody with the role Approver lifts it.')}
          </p>`
    }
  </div>`;
}

/** The form that pauses a store at once; nothing for a viewer, and on a store that is paused. */
export function pauseForm({ cornerStoreId, paused }: Store, visit: Visit): Html {
  const { viewer } = visit;
  if (paused != null || !mayDo(viewer, 'operator')) return NOTHING;
  return foldedForm(visit, {
    summary: say('Pausar esta tienda', 'Pause this store'),
    hint: say(
      'Vale de inmediato: no puede pedir ni recibe claves, y su cuenta no abre. La pausa la levanta otra persona.',
      'It counts at once: it cannot order, gets no codes, and its account does not open. Another person lifts the pause.',
    ),
    action: `/tiendas/${cornerStoreId}/pausar`,
    kind: 'bad',
    fields: [choice(say('Motivo', 'Reason'), PAUSE_REASONS, (one) => pauseReasonName(one))],
  });
}

/** Why a store is paused, in words. */
export const pauseReasonName = naming({
  'stolen-phone': ['teléfono robado o perdido', 'phone stolen or lost'],
  doubt: ['hay una duda', 'a doubt'],
  fraud: ['posible fraude', 'possible fraud'],
});
