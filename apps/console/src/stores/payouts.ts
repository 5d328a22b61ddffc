import { html, type Html, type HtmlValue } from '@fiado/chassis/html';
import type { Schema } from '@fiado/ops-client/operations';
import { csrfField, foldedForm, reasonField } from '../frame/form';
import { link, when } from '../frame/formats';
import { part } from '../frame/parts';
import { mayDo, type Visit } from '../frame/visit';
import { say } from '../frame/words';
import type { Store } from './stores';

type Payout = Schema<'Payout'>;

/** What was paid out of a store's credit balance, and the form that pays out. */
export async function payoutsPart({ cornerStoreId }: Store, visit: Visit): Promise<Html> {
  const approves = mayDo(visit.viewer, 'approver');
  const list = await part(visit, {
    of: 'listPayouts',
    ids: [cornerStoreId],
    title: say('Pagos a la tienda', 'Payouts'),
    empty: say('No se le ha pagado saldo a favor.', 'No credit balance was paid out.'),
    columns: [
      [say('Pedido el', 'Requested'), ({ requestedAt }) => when(requestedAt), 'name'],
      [say('Monto', 'Amount'), 'amount', 'money'],
      [say('Referencia del banco', 'Bank reference'), 'bankReference'],
      [say('Motivo', 'Reason'), 'reason'],
      [say('Estado', 'Status'), 'status', 'payout'],
      [
        say('Devuelto', 'Returned'),
        (payout) => approves && returnedForm(visit, cornerStoreId, payout),
      ],
    ],
  });
  return html`${list} ${approves && payOutForm(visit, cornerStoreId)}`;
}

/** Behind a summary, so that no slip of the mouse books money back. */
function returnedForm(
  { viewer }: Visit,
  cornerStoreId: string,
  { payoutId, status, bankReference, returnRequestId }: Payout,
): HtmlValue {
  if (returnRequestId !== null) {
    return link(`/aprobaciones/${returnRequestId}`, say('espera aprobación', 'waits for approval'));
  }
  if (status !== 'paid') return undefined;
  const label = say('El banco lo devolvió', 'The bank returned it');
  return html`<details>
    <summary>${label}</summary>
    <form method="post" action="/tiendas/${cornerStoreId}/pagos/${payoutId}/devuelto">
      ${csrfField(viewer)}
      <button class="second" aria-label="${label}: ${bankReference}">
        ${say('Sí, regresarlo al saldo', 'Yes, book it back')}
      </button>
    </form>
  </details>`;
}

function payOutForm(visit: Visit, cornerStoreId: string): Html {
  return foldedForm(visit, {
    summary: say('Pagar saldo a favor', 'Pay out credit balance'),
    hint: say(
      'El monto se aparta del saldo en cuanto lo pides; otra persona lo aprueba.',
      'The amount is reserved as soon as you ask for it; another person approves it.',
    ),
    action: `/tiendas/${cornerStoreId}/pagos`,
    button: say('Pagar', 'Pay out'),
    kind: 'bad',
    operation: 'payOut',
    fields: [
      { name: 'amount', label: say('Monto en pesos', 'Amount in pesos') },
      {
        name: 'bankReference',
        label: say('Referencia de la transferencia', 'Reference of the transfer'),
        hint: say('Cada una se usa una sola vez.', 'Each is used once.'),
      },
      reasonField(),
    ],
  });
}
