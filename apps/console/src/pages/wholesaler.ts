import type { AnswerOf, ItemOf } from '@fiado/ops-client/operations';
import { html, NOTHING, type Html } from '@fiado/chassis/html';
import { SCOPES_OF_KIND } from '@fiado/contracts/scopes';
import { fieldOf, idOf, type Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { buttonForm, form } from './form';
import { percentOf, pesosOf, textOf, timeOf } from './formats';
import { listPage } from './list-page';
import type { Page, Redirect } from './page';

/** Of the lender's time zone, which has no summer time. */
const OFFSET = '-06:00';

type Wholesaler = AnswerOf<'getWholesaler'>;
type Key = ItemOf<'listWholesalerKeys', 'apiKeys'>;

/** A wholesaler with its settings and its keys. */
export async function showWholesaler(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const wholesaler = await viewer.ops.wholesalers.get(wholesalerId);
  const isAdmin = mayDo(viewer, 'admin');
  return listPage(visit, {
    title: wholesaler.name,
    list: (cursor) => viewer.ops.wholesalers.listKeys(wholesalerId, { cursor }),
    rowsOf: ({ apiKeys }) => apiKeys,
    before: html`${settings(visit, wholesaler)} ${isAdmin ? issueForm(visit, wholesaler) : NOTHING}
      <h2>${say('Llaves', 'Keys')}</h2>`,
    empty: say('No tiene llaves.', 'It has no keys.'),
    columns: [
      ['Id', ({ apiKeyId }) => apiKeyId],
      [say('Permisos', 'Scopes'), ({ scopes }) => scopes?.join(', ') ?? say('todos', 'all')],
      [say('Creada', 'Created'), ({ createdAt }) => timeOf(createdAt)],
      [say('Última vez', 'Last used'), ({ lastUsedAt }) => timeOf(lastUsedAt)],
      [say('Vence', 'Expires'), ({ expiresAt }) => timeOf(expiresAt)],
      [say('Revocada', 'Revoked'), ({ revokedAt }) => timeOf(revokedAt)],
      ...(isAdmin
        ? [
            [say('Acción', 'Action'), (key: Key) => revokeForm(visit, wholesaler, key)] as [
              string,
              (key: Key) => Html,
            ],
          ]
        : []),
    ],
  });
}

function settings({ say }: Visit, wholesaler: Wholesaler): Html {
  const yesNo = (value: boolean): string => (value ? say('sí', 'yes') : 'no');
  return html`<dl>
    <dt>${say('Pedido mínimo', 'Smallest order')}</dt>
    <dd>${pesosOf(wholesaler.minimumTransactionAmount)}</dd>
    <dt>${say('Comisión', 'Commission')}</dt>
    <dd>${percentOf(wholesaler.commissionRate)}</dd>
    <dt>${say('Plazo en días', 'Term in days')}</dt>
    <dd>${textOf(wholesaler.paymentTermDays)}</dd>
    <dt>${say('Palabra de entrega', 'Delivery word')}</dt>
    <dd>${yesNo(wholesaler.deliveryWordEnabled)}</dd>
    <dt>${say('El código es obligatorio', 'The code is required')}</dt>
    <dd>${yesNo(wholesaler.confirmationRequired)}</dd>
    <dt>${say('Pedidos por lote', 'Batches')}</dt>
    <dd>${yesNo(wholesaler.batchEnabled)}</dd>
    <dt>Id</dt>
    <dd>${wholesaler.wholesalerId}</dd>
  </dl>`;
}

function issueForm(visit: Visit, { wholesalerId }: Wholesaler): Html {
  const { say } = visit;
  return html`<details ${visit.refusal === undefined ? NOTHING : html`open`}>
    <summary>${say('Nueva llave', 'New key')}</summary>
    ${form(visit, {
      action: `/mayoristas/${wholesalerId}/llaves`,
      button: say('Pedir la llave', 'Ask for the key'),
      fields: [
        {
          name: 'scopes',
          label: say('Permisos', 'Scopes'),
          value: '',
          required: false,
          options: [
            ['', say('todos', 'all')],
            ...SCOPES_OF_KIND.wholesaler.map((scope) => [scope, scope] as const),
          ],
        },
        {
          name: 'expiresAt',
          label: say('Vence el día', 'Expires on'),
          hint: say('Vacía, no vence.', 'Empty, it does not expire.'),
          type: 'date',
          required: false,
        },
      ],
    })}
  </details>`;
}

function revokeForm({ viewer, say }: Visit, { wholesalerId }: Wholesaler, key: Key): Html {
  if (key.revokedAt !== null) return NOTHING;
  return buttonForm(viewer, {
    action: `/mayoristas/${wholesalerId}/llaves/${key.apiKeyId}/revocar`,
    label: say('Revocar', 'Revoke'),
  });
}

/** Where one person is enough the key is shown this once. Else its requester collects it later. */
export async function issueKey(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const wholesalerId = idOf(visit, 'wholesalerId');
  const scope = fieldOf(visit, 'scopes');
  const day = fieldOf(visit, 'expiresAt');
  const body = {
    ...(scope === '' ? {} : { scopes: [scope] }),
    ...(day === '' ? {} : { expiresAt: `${day}T23:59:59${OFFSET}` }),
  };
  const { apiKey } = await viewer.ops.wholesalers.issueKey(wholesalerId, body);
  return {
    title: say('Llave nueva', 'New key'),
    content: html`<p class="notice">
        ${say('Cópiala ahora: no se vuelve a mostrar.', 'Copy it now: it is not shown again.')}
      </p>
      <p><code>${apiKey}</code></p>
      <p><a href="/mayoristas/${wholesalerId}">${say('Volver', 'Back')}</a></p>`,
  };
}

export async function revokeKey(visit: Visit): Promise<Redirect> {
  await visit.viewer.ops.apiKeys.revoke(idOf(visit, 'apiKeyId'));
  return { redirect: `/mayoristas/${encodeURIComponent(idOf(visit, 'wholesalerId'))}` };
}
